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

}
