package dev.ratelimit.core;

/**
 * Thrown when a call that waits for its tokens is interrupted, in which case the
 * interrupt flag of the thread stays set, or when the application shuts down meanwhile,
 * in which case no flag is set. The tokens have gone back. Over HTTP it becomes a
 * response of status 503.
 */
public class RateLimitWaitInterruptedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String bucketName;

	/**
	 * Creates an exception.
	 * @param bucketName name of the limit that the call waited for
	 * @param reason what ended the wait
	 */
	public RateLimitWaitInterruptedException(String bucketName, String reason) {
		super("The wait for rate limit '%s' ended early: %s".formatted(bucketName, reason));
		this.bucketName = bucketName;
	}

	/**
	 * Returns the name of the limit that the call waited for.
	 * @return the name of its bucket
	 */
	public String getBucketName() {
		return this.bucketName;
	}

}
