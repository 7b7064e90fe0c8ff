package dev.ratelimit.web.reactive;

import java.time.Duration;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;

/**
 * The ways in which a limit fails a request.
 */
enum Failure {

	EXCEEDED(new RateLimitExceededException("export", RateLimit.of(5, Duration.ofMinutes(5), 5), 1, 0,
			Duration.ofMillis(44_001))),

	IMPOSSIBLE(new RateLimitExceededException("export", RateLimit.of(5, Duration.ofMinutes(5), 5), 6, 5, null)),

	INTERRUPTED(new RateLimitWaitInterruptedException("export", "the context closed")),

	UNAVAILABLE(new RateLimitStoreUnavailableException("export", new IllegalStateException("down")));

	final RuntimeException exception;

	Failure(RuntimeException exception) {
		this.exception = exception;
	}

}
