package dev.ratelimit.aspect;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimiter;
import org.jspecify.annotations.Nullable;

/**
 * One limit of one method, ready to be asked.
 *
 * @param limiter the limit
 * @param maxWaitNanos the longest wait in nanoseconds
 */
record RateLimitedCall(RateLimiter limiter, long maxWaitNanos) {

	void acquire(@Nullable CallContext context) {
		this.limiter.acquire(null, 1, this.maxWaitNanos, context);
	}

}
