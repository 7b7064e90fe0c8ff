package dev.ratelimit.core;

import org.jspecify.annotations.Nullable;

/**
 * The request on whose behalf a limited method is called: who is calling, and where to
 * note what was decided.
 */
public interface CallContext {

	/**
	 * Returns the address of the client.
	 * @return the address, or {@code null} if it is not known
	 */
	@Nullable String clientIp();

	/**
	 * Returns the name of the authenticated caller.
	 * @return the name, or {@code null} if the caller is anonymous
	 */
	@Nullable String principal();

	/**
	 * Returns a header of the request.
	 * @param name name of the header, in any case
	 * @return its first value, or {@code null} if there is none
	 */
	@Nullable String header(String name);

	/**
	 * Takes note of a decision. Never throws.
	 * @param decision what a limit decided on a call of this request
	 */
	void decided(RateLimitDecision decision);

	/**
	 * Finds the request that the calling thread works for.
	 */
	@FunctionalInterface
	interface Source {

		/**
		 * Returns the context of the calling thread.
		 * @return the context, or {@code null} outside a request
		 */
		@Nullable CallContext current();

	}

}
