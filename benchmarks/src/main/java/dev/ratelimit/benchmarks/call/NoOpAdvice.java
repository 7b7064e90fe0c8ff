package dev.ratelimit.benchmarks.call;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;

/**
 * Advice that does nothing: what any advice costs at least.
 */
final class NoOpAdvice extends StaticMethodMatcherPointcutAdvisor {

	private static final long serialVersionUID = 1L;

	NoOpAdvice() {
		super((MethodInterceptor) (invocation) -> invocation.proceed());
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return targetClass == CalledService.class && method.getName().equals("advised");
	}

}
