package dev.ratelimit.core;

/**
 * What becomes of calls while the store that holds their bucket does not answer.
 */
public enum StoreFailurePolicy {

	/**
	 * A bucket in this process, with the same limit, decides. Each node then grants a
	 * burst and a rate of its own.
	 */
	LOCAL,

	/**
	 * Every call passes.
	 */
	ALLOW,

	/**
	 * Every call fails with a {@link RateLimitStoreUnavailableException}.
	 */
	DENY

}
