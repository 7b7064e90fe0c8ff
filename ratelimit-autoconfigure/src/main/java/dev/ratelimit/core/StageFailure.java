package dev.ratelimit.core;

import java.util.concurrent.CompletionException;

/**
 * What a stage failed with.
 */
public final class StageFailure {

	private StageFailure() {
	}

	/**
	 * Returns the failure itself, without the exception that a stage wraps around it when
	 * it hands it on.
	 * @param failure what a stage tells of
	 * @return the cause of a {@link CompletionException}; of one without a cause, and of
	 * any other failure, the failure itself
	 */
	public static Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
