package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import org.aopalliance.aop.Advice;

import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Advises the methods that carry {@link dev.ratelimit.annotation.RateLimited}.
 */
public final class RateLimitedAdvisor extends AbstractPointcutAdvisor {

	private static final long serialVersionUID = 1L;

	private final transient Pointcut pointcut;

	private final transient Advice advice;

	/**
	 * Creates an advisor.
	 * @param operationSource finds the limits of methods
	 * @param calls the limits in use, asked for when a limited method is first called
	 * @param order position among advisors, as of
	 * {@link org.springframework.core.Ordered}
	 */
	public RateLimitedAdvisor(RateLimitedOperationSource operationSource, Supplier<RateLimitedCalls> calls, int order) {
		this.pointcut = new StaticMethodMatcherPointcut() {

			@Override
			public boolean matches(Method method, Class<?> targetClass) {
				return operationSource.isLimited(method, targetClass);
			}

		};
		this.advice = new RateLimitedInterceptor(calls);
		setOrder(order);
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	@Override
	public Advice getAdvice() {
		return this.advice;
	}

}
