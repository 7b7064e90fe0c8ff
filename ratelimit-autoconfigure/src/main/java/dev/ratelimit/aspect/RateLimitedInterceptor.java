package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;

/**
 * Asks the limits of a method before it proceeds. Where two proxy creators have advised a
 * bean, the inner proxy asks.
 */
final class RateLimitedInterceptor implements MethodInterceptor {

	private final Supplier<RateLimitedMethods> methods;

	/**
	 * Methods that have been called, by the class of a target that is no proxy. Calls
	 * bring the same {@link Method} object each time, by which they are found at once.
	 */
	private final Map<Class<?>, Map<Method, LimitedMethod>> called = new ConcurrentHashMap<>();

	RateLimitedInterceptor(Supplier<RateLimitedMethods> methods) {
		this.methods = methods;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? target.getClass() : invocation.getMethod().getDeclaringClass();
		RateLimitedMethods methods = this.methods.get();
		LimitedMethod method = called(invocation.getMethod(), targetClass);
		if (method == null) {
			if (RateLimitedAdvisor.advises(target)) {
				return invocation.proceed();
			}
			method = methods.of(invocation.getMethod(), targetClass);
			remember(invocation.getMethod(), targetClass, method);
		}
		return method.adapter().call(method, invocation, methods.context(invocation.getArguments()));
	}

	private @Nullable LimitedMethod called(Method method, Class<?> targetClass) {
		Map<Method, LimitedMethod> ofClass = this.called.get(targetClass);
		return (ofClass != null) ? ofClass.get(method) : null;
	}

	private void remember(Method method, Class<?> targetClass, LimitedMethod limited) {
		if (!Advised.class.isAssignableFrom(targetClass)) {
			this.called.computeIfAbsent(targetClass, (absent) -> new ConcurrentHashMap<>()).put(method, limited);
		}
	}

}
