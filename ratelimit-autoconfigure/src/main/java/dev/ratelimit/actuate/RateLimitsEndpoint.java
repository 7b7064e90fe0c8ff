package dev.ratelimit.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.lang.Nullable;

/**
 * {@link Endpoint @Endpoint} that shows limits, changes them in this node until it
 * restarts, and refills buckets. Names of limits are compared as everywhere: case, dashes
 * and underscores do not count.
 */
@Endpoint(id = "ratelimits")
@SuppressWarnings("deprecation") // Framework 6.2 has only this @Nullable
public final class RateLimitsEndpoint {

	private final RateLimiterRegistry registry;

	/**
	 * Creates an endpoint.
	 * @param registry the limits
	 */
	public RateLimitsEndpoint(RateLimiterRegistry registry) {
		this.registry = registry;
	}

	/**
	 * Shows all limits, and none of their keys.
	 * @return the limits
	 */
	@ReadOperation
	public LimitDescriptions limits() {
		Map<String, LimitDescription> buckets = new LinkedHashMap<>();
		this.registry.limiters()
			.forEach((limiter) -> buckets.put(limiter.name(), LimitDescription.of(limiter, this.registry)));
		return new LimitDescriptions(buckets);
	}

	/**
	 * Shows one limit.
	 * @param bucket its name
	 * @return the limit; {@code null}: there is none of the name
	 */
	@ReadOperation
	public @Nullable LimitDescription limit(@Selector String bucket) {
		RateLimiter limiter = this.registry.find(bucket);
		return (limiter != null) ? LimitDescription.of(limiter, this.registry) : null;
	}

	/**
	 * Shows the bucket of one key, without creating it.
	 * @param bucket name of the limit
	 * @param key the key
	 * @return the bucket; {@code null}: there is no limit of the name
	 */
	@ReadOperation
	public @Nullable KeyDescription key(@Selector String bucket, @Selector String key) {
		RateLimiter limiter = this.registry.find(bucket);
		return (limiter != null) ? KeyDescription.of(limiter, key) : null;
	}

	/**
	 * Changes a limit at once, for the buckets in use too, whose tokens are kept up to
	 * the new capacity. What is not given stays as it is.
	 * @param bucket name of the limit
	 * @param rate tokens added in each period
	 * @param capacity most tokens a bucket holds
	 * @param per the period, with a unit
	 * @param shadow whether the limit only counts and logs what it would refuse
	 * @return the limit as it is now
	 * @throws IllegalArgumentException if there is no limit of the name, or if a value is
	 * out of range, and then nothing has changed
	 */
	@WriteOperation
	public LimitDescription change(@Selector String bucket, @Nullable String rate, @Nullable String capacity,
			@Nullable String per, @Nullable String shadow) {
		RateLimiter limiter = this.registry.get(bucket);
		new LimitChange(rate, capacity, per, shadow).apply(limiter);
		return LimitDescription.of(limiter, this.registry);
	}

	/**
	 * Fills all buckets of a limit.
	 * @param bucket name of the limit
	 * @return the limit as it is now
	 * @throws IllegalArgumentException if there is none
	 */
	@DeleteOperation
	public LimitDescription refill(@Selector String bucket) {
		RateLimiter limiter = this.registry.get(bucket);
		limiter.refill();
		return LimitDescription.of(limiter, this.registry);
	}

	/**
	 * Fills the bucket of one key.
	 * @param bucket name of the limit
	 * @param key the key
	 * @return the bucket as it is now
	 * @throws IllegalArgumentException if there is no limit of the name
	 */
	@DeleteOperation
	public KeyDescription refillKey(@Selector String bucket, @Selector String key) {
		RateLimiter limiter = this.registry.get(bucket);
		limiter.refill(key);
		return KeyDescription.of(limiter, key);
	}

}
