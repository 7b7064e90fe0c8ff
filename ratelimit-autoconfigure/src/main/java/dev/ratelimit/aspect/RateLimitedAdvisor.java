package dev.ratelimit.aspect;

import java.util.Arrays;
import java.util.function.Supplier;

import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AbstractPointcutAdvisor;

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
	 * @param methods the limited methods, asked for when a limited method is first called
	 * @param classProxies whether proxies extend the class of the bean
	 * @param order position among advisors, as of
	 * {@link org.springframework.core.Ordered}
	 */
	public RateLimitedAdvisor(RateLimitedOperationSource operationSource, Supplier<RateLimitedMethods> methods,
			boolean classProxies, int order) {
		this.pointcut = new LimitedMethodsPointcut(operationSource, classProxies);
		this.advice = new RateLimitedInterceptor(methods);
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

	/**
	 * Returns whether an object is a proxy with this advice, possibly inside others.
	 */
	static boolean advises(@Nullable Object object) {
		Object candidate = object;
		while (candidate instanceof Advised advised) {
			if (Arrays.stream(advised.getAdvisors()).anyMatch(RateLimitedAdvisor.class::isInstance)) {
				return true;
			}
			candidate = AopProxyUtils.getSingletonTarget(advised);
		}
		return false;
	}

}
