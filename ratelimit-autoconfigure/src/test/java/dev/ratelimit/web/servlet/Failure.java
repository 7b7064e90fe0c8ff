package dev.ratelimit.web.servlet;

import java.time.Duration;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;

/**
 * The ways in which a limit fails a request.
 */
enum Failure {

	EXCEEDED(429,
			new RateLimitExceededException("export", RateLimit.of(5, Duration.ofMinutes(5), 5), 1, 0,
					Duration.ofMillis(44_001))),

	IMPOSSIBLE(429, new RateLimitExceededException("export", RateLimit.of(5, Duration.ofMinutes(5), 5), 6, 5, null)),

	INTERRUPTED(503, new RateLimitWaitInterruptedException("export", "the context closed")),

	UNAVAILABLE(503, new RateLimitStoreUnavailableException("export", new IllegalStateException("down")));

	final int status;

	final RuntimeException exception;

	Failure(int status, RuntimeException exception) {
		this.status = status;
		this.exception = exception;
	}

}
