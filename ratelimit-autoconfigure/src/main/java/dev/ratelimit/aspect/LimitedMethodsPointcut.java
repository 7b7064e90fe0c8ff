package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;

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
				&& matches(ClassUtils.getUserClass(type), classProxies));
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return this.operationSource.isLimited(method, targetClass);
	}

	private boolean matches(Class<?> type, boolean classProxies) {
		List<Method> limited = this.operationSource.limitedMethods(type);
		if (limited.isEmpty()) {
			return false;
		}
		boolean proxied = Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
		if (classProxies && !proxied) {
			limited.forEach((method) -> checkInterception(method, type));
		}
		return !classProxies || proxied || !Modifier.isFinal(type.getModifiers());
	}

	private void checkInterception(Method method, Class<?> type) {
		String obstacle = Modifier.isFinal(type.getModifiers()) ? "of a final class"
				: AdviceCheck.obstacle(method, type);
		if (obstacle != null) {
			this.operationSource.interceptionFaults()
				.add(type, new Fault(
						"%s.%s cannot be limited, for it is %s".formatted(type.getName(), method.getName(), obstacle),
						"Let a proxy intercept it: an instance method that is neither private nor final, of a class"
								+ " that can be extended. Or use a TokenBucket in its body."));
		}
	}

}
