package dev.ratelimit.actuate;

import java.util.Map;

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
 * {@link RateLimitsEndpoint} over HTTP: mistakes are answered with 404 and 400 and a
 * message, and keys may hold slashes.
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
	 * Shows the bucket of a key that holds slashes.
	 * @param bucket name of the limit
	 * @param key the segments of the key
	 * @return the bucket; {@code null}: there is no limit of the name
	 */
	@ReadOperation
	public @Nullable KeyDescription key(@Selector String bucket, @Selector(match = Match.ALL_REMAINING) String... key) {
		return this.endpoint.key(bucket, String.join("/", key));
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
		if (this.registry.find(bucket) == null) {
			return notFound(bucket);
		}
		try {
			return new WebEndpointResponse<>(this.endpoint.change(bucket, rate, capacity, per, shadow));
		}
		catch (IllegalArgumentException ex) {
			return message(String.valueOf(ex.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST);
		}
	}

	/**
	 * Fills all buckets of a limit.
	 * @param bucket name of the limit
	 * @return nothing, or what is wrong
	 */
	@DeleteOperation
	public WebEndpointResponse<?> refill(@Selector String bucket) {
		return refilled(bucket, () -> this.endpoint.refill(bucket));
	}

	/**
	 * Fills the bucket of one key.
	 * @param bucket name of the limit
	 * @param key the key
	 * @return nothing, or what is wrong
	 */
	@DeleteOperation
	public WebEndpointResponse<?> refillKey(@Selector String bucket, @Selector String key) {
		return refilled(bucket, () -> this.endpoint.refillKey(bucket, key));
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

	private WebEndpointResponse<?> refilled(String bucket, Runnable refill) {
		if (this.registry.find(bucket) == null) {
			return notFound(bucket);
		}
		refill.run();
		return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
	}

	private static WebEndpointResponse<?> notFound(String bucket) {
		return message("There is no rate limit named '" + bucket + "'", WebEndpointResponse.STATUS_NOT_FOUND);
	}

	private static WebEndpointResponse<?> message(String message, int status) {
		return new WebEndpointResponse<>(Map.of("message", message), status);
	}

}
