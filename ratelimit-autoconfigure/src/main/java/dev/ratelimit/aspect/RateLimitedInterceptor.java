package dev.ratelimit.aspect;

import java.util.function.Supplier;

import dev.ratelimit.core.CallContext;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;

/**
 * Asks the limits of a method before it proceeds.
 */
final class RateLimitedInterceptor implements MethodInterceptor {

	private final Supplier<RateLimitedCalls> calls;

	RateLimitedInterceptor(Supplier<RateLimitedCalls> calls) {
		this.calls = calls;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target)
				: invocation.getMethod().getDeclaringClass();
		RateLimitedCalls calls = this.calls.get();
		CallContext context = calls.context();
		for (RateLimitedCall call : calls.of(invocation.getMethod(), targetClass)) {
			call.acquire(context);
		}
		return invocation.proceed();
	}

}
