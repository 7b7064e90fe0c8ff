package dev.ratelimit.core;

import org.jspecify.annotations.Nullable;

/**
 * What a call asks of one limit.
 *
 * @param limiter the limit
 * @param key whose bucket; {@code null} or empty: the unkeyed one
 * @param tokens how many tokens; one or more
 * @param maxWaitNanos the longest wait in nanoseconds; zero: none;
 * {@link Long#MAX_VALUE}: any
 */
public record RateLimitRequest(RateLimiter limiter, @Nullable String key, long tokens, long maxWaitNanos) {

	/**
	 * Creates a request.
	 * @throws IllegalArgumentException if the number of tokens is not positive
	 */
	public RateLimitRequest {
		if (tokens < 1) {
			throw new IllegalArgumentException("tokens must be one or more, but was " + tokens);
		}
		key = (key == null || key.isEmpty()) ? null : key;
	}

}
