package dev.ratelimit.actuate;

import java.util.Map;
import java.util.function.Function;

import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/**
 * {@link RateLimitsEndpoint} over HTTP: mistakes are answered with 404 and 400, a store
 * that does not answer with 503, all with a message, and keys may hold slashes.
 */
@EndpointWebExtension(endpoint = RateLimitsEndpoint.class)
@SuppressWarnings("deprecation") // Framework 6.2 has only this @Nullable
public final class RateLimitsEndpointWebExtension {

	private final RateLimitsEndpoint endpoint;

	private final RateLimiterRegistry registry;

	/**
	 * Creates an extension.
	 * @param endpoint what is extended
	 * @param registry the limits
	 */
	public RateLimitsEndpointWebExtension(RateLimitsEndpoint endpoint, RateLimiterRegistry registry) {
		this.endpoint = endpoint;
		this.registry = registry;
	}

	/**
	 * Shows one limit.
	 * @param bucket its name
	 * @return the limit, or what is wrong
	 */
	@ReadOperation
	public WebEndpointResponse<?> limit(@Selector String bucket) {
		return answer(bucket, (limiter) -> new WebEndpointResponse<>(LimitDescription.of(limiter, this.registry)));
	}

	/**
	 * Shows the bucket of one key, without creating it.
	 * @param bucket name of the limit
	 * @param key the key
	 * @return the bucket, or what is wrong
	 */
	@ReadOperation
	public WebEndpointResponse<?> key(@Selector String bucket, @Selector String key) {
		return answer(bucket, (limiter) -> new WebEndpointResponse<>(KeyDescription.of(limiter, key)));
	}

	/**
	 * Shows the bucket of a key that holds slashes, without creating it.
	 * @param bucket name of the limit
	 * @param key the segments of the key
	 * @return the bucket, or what is wrong
	 */
	@ReadOperation
	public WebEndpointResponse<?> keyWithSlashes(@Selector String bucket,
			@Selector(match = Match.ALL_REMAINING) String... key) {
		return key(bucket, String.join("/", key));
	}

	/**
	 * Changes a limit.
	 * @param bucket name of the limit
	 * @param rate tokens added in each period
	 * @param capacity most tokens a bucket holds
	 * @param per the period, with a unit
	 * @param shadow whether the limit only counts and logs what it would refuse
	 * @return the limit as it is now, or what is wrong
	 */
	@WriteOperation
	public WebEndpointResponse<?> change(@Selector String bucket, @Nullable String rate, @Nullable String capacity,
			@Nullable String per, @Nullable String shadow) {
		return answer(bucket,
				(limiter) -> new WebEndpointResponse<>(this.endpoint.change(bucket, rate, capacity, per, shadow)));
	}

	/**
	 * Fills all buckets of a limit.
	 * @param bucket name of the limit
	 * @return nothing, or what is wrong
	 */
	@DeleteOperation
	public WebEndpointResponse<?> refill(@Selector String bucket) {
		return answer(bucket, (limiter) -> {
			limiter.refill();
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		});
	}

	/**
	 * Fills the bucket of one key.
	 * @param bucket name of the limit
	 * @param key the key
	 * @return nothing, or what is wrong
	 */
	@DeleteOperation
	public WebEndpointResponse<?> refillKey(@Selector String bucket, @Selector String key) {
		return answer(bucket, (limiter) -> {
			limiter.refill(key);
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		});
	}

	/**
	 * Fills the bucket of a key that holds slashes.
	 * @param bucket name of the limit
	 * @param key the segments of the key
	 * @return nothing, or what is wrong
	 */
	@DeleteOperation
	public WebEndpointResponse<?> refillKeyWithSlashes(@Selector String bucket,
			@Selector(match = Match.ALL_REMAINING) String... key) {
		return refillKey(bucket, String.join("/", key));
	}

	private WebEndpointResponse<?> answer(String bucket, Function<RateLimiter, WebEndpointResponse<?>> operation) {
		try {
			return answer(this.registry.get(bucket), operation);
		}
		catch (IllegalArgumentException ex) {
			return message(ex, WebEndpointResponse.STATUS_NOT_FOUND);
		}
	}

	private static WebEndpointResponse<?> answer(RateLimiter limiter,
			Function<RateLimiter, WebEndpointResponse<?>> operation) {
		try {
			return operation.apply(limiter);
		}
		catch (IllegalArgumentException ex) {
			return message(ex, WebEndpointResponse.STATUS_BAD_REQUEST);
		}
		catch (RateLimitStoreUnavailableException ex) {
			return message(ex, WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
		}
	}

	private static WebEndpointResponse<?> message(RuntimeException failure, int status) {
		return new WebEndpointResponse<>(Map.of("message", String.valueOf(failure.getMessage())), status);
	}

}
