package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.stereotype.Controller;
import org.springframework.util.ReflectionUtils;

/**
 * Looks at all beans when they are there, declares their limits to the registry, and ends
 * startup where a limit cannot work or a limited bean does not carry the advice.
 */
public final class RateLimitedBeansVerifier implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(RateLimitedBeansVerifier.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final RateLimitedOperationSource operationSource;

	private final RateLimiterRegistry registry;

	private final Set<Fault> faults = new LinkedHashSet<>();

	/**
	 * Creates a verifier.
	 * @param beanFactory whose beans are looked at
	 * @param operationSource finds the limits of methods
	 * @param registry is told of the limits
	 */
	public RateLimitedBeansVerifier(ConfigurableListableBeanFactory beanFactory,
			RateLimitedOperationSource operationSource, RateLimiterRegistry registry) {
		this.beanFactory = beanFactory;
		this.operationSource = operationSource;
		this.registry = registry;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<Runnable> hints = new ArrayList<>();
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = type(beanName);
			if (type != null && !ScopedProxyUtils.isScopedTarget(beanName)
					&& AnnotationUtils.isCandidateClass(type, RateLimited.class)) {
				verify(beanName, type, hints);
			}
		}
		this.faults.addAll(this.registry.check());
		if (!this.faults.isEmpty()) {
			throw new RateLimitConfigurationException(List.copyOf(this.faults));
		}
		hints.forEach(Runnable::run);
	}

	private @Nullable Class<?> type(String beanName) {
		try {
			return AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The type of bean '" + beanName + "' is not known", ex);
			return null;
		}
	}

	private void verify(String beanName, Class<?> type, List<Runnable> hints) {
		List<Method> limited = new ArrayList<>();
		for (Method method : methods(type)) {
			if (this.operationSource.isLimited(method, type)) {
				limited.add(method);
				declare(method, type, hints);
			}
		}
		if (!limited.isEmpty()) {
			verifyAdvice(beanName, type, limited);
		}
	}

	private static List<Method> methods(Class<?> type) {
		return Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((method) -> !method.isBridge() && method.getDeclaringClass() != Object.class)
			.toList();
	}

	private void declare(Method method, Class<?> type, List<Runnable> hints) {
		try {
			for (RateLimitedOperation operation : this.operationSource.operations(method, type)) {
				this.registry.declare(operation.limit());
				if (isController(type)) {
					hints.add(() -> hintAtUnboundedWait(operation));
				}
			}
		}
		catch (RateLimitConfigurationException ex) {
			this.faults.addAll(ex.getFaults());
		}
	}

	private void hintAtUnboundedWait(RateLimitedOperation operation) {
		RateLimiter limiter = this.registry.get(operation.limit().name());
		boolean unbounded = limiter.settings().maxWaitNanos(operation.mode(), operation.maxWait()) == Long.MAX_VALUE;
		if (unbounded && limiter.settings().maxWaiters() == null) {
			logger.warn(("%s waits for rate limit '%s' without a bound, and each waiting request holds a thread of the"
					+ " web server: set max-wait or max-waiters below ratelimit.buckets, or maxWait at the annotation.")
				.formatted(operation.limit().place(), limiter.name()));
		}
	}

	private void verifyAdvice(String beanName, Class<?> type, List<Method> limited) {
		for (Method method : limited) {
			int modifiers = method.getModifiers();
			if (Modifier.isFinal(modifiers) || Modifier.isStatic(modifiers) || Modifier.isPrivate(modifiers)) {
				fault("%s of bean '%s' is %s, so no proxy can limit it".formatted(method, beanName,
						Modifier.toString(modifiers)),
						"Make it an instance method that is neither private nor final, or use a TokenBucket in its"
								+ " body.");
			}
		}
		Object bean = this.beanFactory.containsSingleton(beanName) ? this.beanFactory.getSingleton(beanName) : null;
		if (bean == null || !(bean instanceof Advised || type.isInstance(bean))) {
			return;
		}
		if (!isAdvised(bean)) {
			fault("The limits of bean '%s' (%s) do nothing: %s is not advised".formatted(beanName, type.getName(),
					limited.get(0)),
					"Let Spring create the bean, by a @Bean method or component scanning and not before bean post-processors are there,"
							+ " or use a TokenBucket in its body.");
		}
		else if (Proxy.isProxyClass(bean.getClass()) && isController(type)) {
			fault("The controller '%s' (%s) is limited by a JDK proxy, which Spring MVC does not take for a controller"
				.formatted(beanName, type.getName()), "Remove spring.aop.proxy-target-class=false.");
		}
	}

	private static boolean isAdvised(Object bean) {
		return bean instanceof Advised advised
				&& Arrays.stream(advised.getAdvisors()).anyMatch(RateLimitedBeansVerifier::isOurs);
	}

	private static boolean isOurs(Advisor advisor) {
		return advisor instanceof RateLimitedAdvisor;
	}

	private static boolean isController(Class<?> type) {
		return AnnotatedElementUtils.hasAnnotation(type, Controller.class);
	}

	private void fault(String problem, String remedy) {
		this.faults.add(new Fault(problem, remedy));
	}

}
