package dev.ratelimit.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store that holds a bucket does not answer and the limit is to deny
 * calls then. Over HTTP it becomes a response of status 503.
 */
public class RateLimitStoreUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String bucketName;

	/**
	 * Creates an exception.
	 * @param bucketName name of the limit
	 * @param cause what the store failed with; {@code null} if it was not asked
	 */
	public RateLimitStoreUnavailableException(String bucketName, @Nullable Throwable cause) {
		super("The store of rate limit '%s' does not answer".formatted(bucketName), cause);
		this.bucketName = bucketName;
	}

	/**
	 * Returns the name of the limit.
	 * @return the name of its bucket
	 */
	public String getBucketName() {
		return this.bucketName;
	}

}
