package dev.ratelimit.benchmarks.keys;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import dev.ratelimit.core.LocalTokenBucketStore;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterSettings;
import dev.ratelimit.core.StoreFailurePolicy;
import dev.ratelimit.core.TimeSource;

/**
 * Limits with room for many keys.
 */
final class KeyedLimits {

	private KeyedLimits() {
	}

	static RateLimiter limiter(int maxKeys) {
		TimeSource time = TimeSource.system();
		RateLimit limit = RateLimit.of(10_000_000, Duration.ofDays(1), 10_000_000_000L);
		RateLimiterSettings settings = new RateLimiterSettings("keyed", limit, true, null, null, null, null, maxKeys,
				null, Map.of(), Set.of(), false, LocalTokenBucketStore.NAME, StoreFailurePolicy.LOCAL);
		return new RateLimiter(settings, new LocalTokenBucketStore(time), time, RateLimitListener.NO_OP);
	}

}
