package dev.ratelimit.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a limit refuses a call. Over HTTP it becomes a response of status 429 (RFC
 * 6585).
 * <p>
 * No stack trace is filled in, since refusing has to be cheap.
 */
public class RateLimitExceededException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String bucketName;

	private final RateLimit limit;

	private final long tokens;

	private final long availableTokens;

	private final @Nullable Duration retryAfter;

	/**
	 * Creates an exception.
	 * @param bucketName name of the limit that refused
	 * @param limit the limit in force
	 * @param tokens how many tokens the call wanted
	 * @param availableTokens how many there were
	 * @param retryAfter how long until the same call would have passed, had no other come
	 * before it; {@code null} if it can never pass
	 */
	public RateLimitExceededException(String bucketName, RateLimit limit, long tokens, long availableTokens,
			@Nullable Duration retryAfter) {
		super(null, null, false, false);
		this.bucketName = bucketName;
		this.limit = limit;
		this.tokens = tokens;
		this.availableTokens = availableTokens;
		this.retryAfter = retryAfter;
	}

	/**
	 * Returns the name of the limit that refused.
	 * @return the name of its bucket
	 */
	public String getBucketName() {
		return this.bucketName;
	}

	/**
	 * Returns how long to wait before the same call can pass.
	 * @return a duration of more than zero, or {@code null} if the call wants more tokens
	 * than the capacity and so can never pass
	 */
	public @Nullable Duration getRetryAfter() {
		return this.retryAfter;
	}

	/**
	 * Returns the limit that was in force.
	 * @return the limit
	 */
	public RateLimit getLimit() {
		return this.limit;
	}

	/**
	 * Returns how many tokens the call wanted.
	 * @return one or more
	 */
	public long getTokens() {
		return this.tokens;
	}

	/**
	 * Returns how many tokens there were.
	 * @return zero or more
	 */
	public long getAvailableTokens() {
		return this.availableTokens;
	}

	@Override
	public String getMessage() {
		String outlook = (this.retryAfter != null) ? "retry after " + this.retryAfter : "it can never pass";
		return "Rate limit '%s' (%s) refused a call of %d token(s): %s".formatted(this.bucketName, this.limit,
				this.tokens, outlook);
	}

}
