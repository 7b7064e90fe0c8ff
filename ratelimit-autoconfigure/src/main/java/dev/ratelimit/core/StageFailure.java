package dev.ratelimit.core;

import java.util.concurrent.CompletionException;

/**
 * What a stage failed with.
 */
final class StageFailure {

	private StageFailure() {
	}

	/**
	 * Returns the failure itself, without the exception that a stage wraps around it when
	 * it hands it on.
	 */
	static Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
