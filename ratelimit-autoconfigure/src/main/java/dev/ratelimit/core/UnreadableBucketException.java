package dev.ratelimit.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link TokenBucketStore} where what it holds for one key is not the state
 * of a bucket. The fault is that key's: the store answers, and other keys are well.
 */
public class UnreadableBucketException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what is held, and where
	 * @param cause what the store said; {@code null}: nothing
	 */
	public UnreadableBucketException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
