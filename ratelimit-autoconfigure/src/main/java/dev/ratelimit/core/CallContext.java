package dev.ratelimit.core;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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
	 * Returns the name of the authenticated caller. Never blocks: where the caller has to
	 * be found out, {@link #identified()} does so.
	 * @return the name, or {@code null} if the caller is anonymous or not yet found out
	 */
	@Nullable String principal();

	/**
	 * Finds out who is calling. This is asked only on behalf of limits that ask for the
	 * {@link #principal()}.
	 * @return a stage of this context, completed when the caller is known or cannot be
	 * found out; it never fails
	 */
	default CompletionStage<CallContext> identified() {
		return CompletableFuture.completedStage(this);
	}

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

		/**
		 * Returns the context of a call.
		 * @param arguments what the limited method is called with
		 * @return the context, or {@code null} outside a request; by default that of the
		 * calling thread
		 */
		default @Nullable CallContext of(@Nullable Object[] arguments) {
			return current();
		}

		/**
		 * Returns what a method lacks so that this source finds the requests of its
		 * calls.
		 * @param method a limited method that is not reactive
		 * @return the parameter that it needs, for people to read, or {@code null} if it
		 * lacks nothing, which is the default
		 */
		default @Nullable String lackingIn(Method method) {
			return null;
		}

		/**
		 * Returns whether a call may park the thread that serves the request.
		 * @return {@code true} by default; {@code false} where that thread serves others
		 * too
		 */
		default boolean mayPark() {
			return true;
		}

	}

}
