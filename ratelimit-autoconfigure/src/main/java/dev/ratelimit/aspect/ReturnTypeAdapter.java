package dev.ratelimit.aspect;

import dev.ratelimit.core.CallContext;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * How a method is limited, which depends on what it returns.
 */
interface ReturnTypeAdapter {

	/**
	 * Asks the limits and calls the method, now or later.
	 * @param context the request that the calling thread works for; {@code null}: none
	 */
	@Nullable Object call(LimitedMethod method, MethodInvocation invocation, @Nullable CallContext context) throws Throwable;

	/**
	 * Returns whether the method is called at each subscription, on behalf of the request
	 * in the subscriber's context.
	 */
	default boolean isSubscribed() {
		return false;
	}

	/**
	 * Returns whether a wait parks the calling thread.
	 */
	default boolean parks() {
		return false;
	}

}
