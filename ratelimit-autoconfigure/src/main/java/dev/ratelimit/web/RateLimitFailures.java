package dev.ratelimit.web;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the failure of a limit inside the exceptions that futures and proxies wrap around
 * it.
 */
public final class RateLimitFailures {

	private RateLimitFailures() {
	}

	/**
	 * Returns the failure of a limit that an exception is or wraps.
	 * @param exception what a request failed with
	 * @return the failure, or {@code null} if the request failed for another reason
	 */
	public static @Nullable RuntimeException findIn(Throwable exception) {
		Throwable candidate = exception;
		while (candidate != null && isWrapper(candidate)) {
			candidate = candidate.getCause();
		}
		return (candidate instanceof RuntimeException failure && isFailure(failure)) ? failure : null;
	}

	private static boolean isWrapper(Throwable exception) {
		return exception instanceof CompletionException || exception instanceof ExecutionException
				|| exception instanceof UndeclaredThrowableException;
	}

	private static boolean isFailure(RuntimeException exception) {
		return exception instanceof RateLimitExceededException || exception instanceof RateLimitWaitInterruptedException
				|| exception instanceof RateLimitStoreUnavailableException;
	}

}
