package dev.ratelimit.actuate;

import java.util.Set;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;

/**
 * One limit, as the endpoint shows it.
 *
 * @param rate tokens added in each period
 * @param per the period, in ISO 8601
 * @param capacity most tokens a bucket holds
 * @param modes what its calls do when there are too few tokens, those of annotated
 * methods and of routes; empty where it is used only in code
 * @param store name of the store that keeps the buckets
 * @param availableTokens what the unkeyed bucket holds; as last seen, where it is in a
 * store elsewhere
 * @param waiters calls that wait now
 * @param keys keyed buckets in memory
 * @param shadow whether it only counts and logs what it would refuse
 */
public record LimitDescription(double rate, String per, long capacity, Set<RateLimitMode> modes, String store,
		long availableTokens, int waiters, long keys, boolean shadow) {

	static LimitDescription of(RateLimiter limiter, RateLimiterRegistry registry) {
		RateLimit limit = limiter.settings().limit();
		return new LimitDescription(limit.rate(), limit.per().toString(), limit.capacity(), registry.modes(limiter),
				limiter.store(), limiter.lastSeenTokens(), limiter.waiters(), limiter.keys(),
				limiter.settings().shadow());
	}

}
