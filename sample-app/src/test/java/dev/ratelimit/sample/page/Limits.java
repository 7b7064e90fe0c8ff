package dev.ratelimit.sample.page;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;

/**
 * The limits of the page, which tests change and share.
 *
 * @param registry the limits of the application
 */
record Limits(RateLimiterRegistry registry) {

	/**
	 * Puts full buckets of ten tokens in force, for which nobody waits.
	 * @param per the time in which two tokens come
	 */
	void reset(Duration per) {
		for (String name : List.of("reject", "wait")) {
			RateLimiter limiter = this.registry.get(name);
			limiter.change(RateLimit.of(2, per, 10));
			while (limiter.waiters() > 0) {
				limiter.refill();
				Thread.yield();
			}
			limiter.refill();
		}
	}

}
