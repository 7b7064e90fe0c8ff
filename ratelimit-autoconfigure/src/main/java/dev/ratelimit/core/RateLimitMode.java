package dev.ratelimit.core;

/**
 * What a call does when its bucket holds too few tokens.
 */
public enum RateLimitMode {

	/**
	 * The call is refused at once with a {@link RateLimitExceededException}.
	 */
	REJECT,

	/**
	 * The call waits, first come first served, until its tokens have been refilled.
	 */
	WAIT

}
