package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

import dev.ratelimit.annotation.RateLimited;

import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Matches limited methods. A final class that only a subclass could limit does not match,
 * so that startup can name it among all other faults.
 */
final class LimitedMethodsPointcut extends StaticMethodMatcherPointcut {

	private final RateLimitedOperationSource operationSource;

	LimitedMethodsPointcut(RateLimitedOperationSource operationSource, boolean classProxies) {
		this.operationSource = operationSource;
		setClassFilter((type) -> AnnotationUtils.isCandidateClass(type, RateLimited.class)
				&& (!classProxies || isExtensible(type)));
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return this.operationSource.isLimited(method, targetClass);
	}

	private static boolean isExtensible(Class<?> type) {
		return !Modifier.isFinal(type.getModifiers()) || Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
	}

}
