package dev.ratelimit.aspect;

import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Asks the limits of a method before it proceeds. Where two proxy creators have advised a
 * bean, the inner proxy asks.
 */
final class RateLimitedInterceptor implements MethodInterceptor {

	private final Supplier<RateLimitedMethods> methods;

	RateLimitedInterceptor(Supplier<RateLimitedMethods> methods) {
		this.methods = methods;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		if (RateLimitedAdvisor.advises(target)) {
			return invocation.proceed();
		}
		Class<?> targetClass = (target != null) ? target.getClass() : invocation.getMethod().getDeclaringClass();
		RateLimitedMethods methods = this.methods.get();
		LimitedMethod method = methods.of(invocation.getMethod(), targetClass);
		return method.adapter().call(method, invocation, methods.context(invocation.getArguments()));
	}

}
