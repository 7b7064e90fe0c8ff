package dev.ratelimit.actuate;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.TokenBucket;

/**
 * The bucket of one key, as the endpoint shows it.
 *
 * @param rate tokens added in each period
 * @param per the period, in ISO 8601
 * @param capacity most tokens the bucket holds
 * @param unlimited whether calls of the key all pass, whatever the bucket holds
 * @param availableTokens what it holds; the capacity if the key has no bucket yet
 */
public record KeyDescription(double rate, String per, long capacity, boolean unlimited, long availableTokens) {

	static KeyDescription of(RateLimiter limiter, String key) {
		TokenBucket bucket = limiter.bucket(key);
		RateLimit limit = bucket.limit();
		return new KeyDescription(limit.rate(), limit.per().toString(), limit.capacity(),
				limiter.settings().unlimitedKeys().contains(key), bucket.availableTokens());
	}

}
