package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiterRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * Looks at the types of all beans when the singletons are there, declares their limits to
 * the registry, and reports limits that cannot work and limited beans that do not carry
 * the advice. No bean is created for that.
 */
public final class RateLimitedBeansVerifier implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(RateLimitedBeansVerifier.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final RateLimitedOperationSource operationSource;

	private final RateLimitedMethods methods;

	private final RateLimiterRegistry registry;

	private final boolean enabled;

	private final RateLimitVerification verification;

	/**
	 * Creates a verifier.
	 * @param beanFactory whose beans are looked at
	 * @param operationSource finds the limits of methods
	 * @param methods makes limited methods ready
	 * @param registry is told of the limits
	 * @param enabled whether annotated methods are limited; if not, their limits are
	 * declared, for buckets used in code may need them, and nothing is checked
	 * @param verification what becomes of faults
	 */
	public RateLimitedBeansVerifier(ConfigurableListableBeanFactory beanFactory,
			RateLimitedOperationSource operationSource, RateLimitedMethods methods, RateLimiterRegistry registry,
			boolean enabled, RateLimitVerification verification) {
		this.beanFactory = beanFactory;
		this.operationSource = operationSource;
		this.methods = methods;
		this.registry = registry;
		this.enabled = enabled;
		this.verification = verification;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<Fault> faults = new LinkedHashSet<>();
		List<LimitedMethod> limited = new ArrayList<>();
		Set<String> beanClasses = new HashSet<>();
		Set<Class<?>> types = new HashSet<>();
		for (String beanName : beanNames()) {
			Class<?> type = type(beanName);
			addClasses(beanClasses, type);
			if (type != null && !ScopedProxyUtils.isScopedTarget(beanName)
					&& AnnotationUtils.isCandidateClass(type, RateLimited.class)) {
				if (this.beanFactory.containsSingleton(BeanFactoryUtils.transformedBeanName(beanName))) {
					types.add(type);
				}
				verify(beanName, type, limited, faults);
			}
		}
		if (!this.enabled) {
			return;
		}
		List<Fault> configured = this.registry.checkConfigured();
		faults.addAll(configured);
		faults.addAll(this.registry.checkDeclared());
		faults.addAll(this.operationSource.interceptionFaults().verify(types, this.verification));
		if (this.verification != RateLimitVerification.OFF) {
			limited.forEach((method) -> verifyInForce(method, faults));
		}
		if (!configured.isEmpty()) {
			throw new RateLimitConfigurationException(List.copyOf(faults));
		}
		report(List.copyOf(faults));
		if (this.verification != RateLimitVerification.OFF && AutoConfigurationPackages.has(this.beanFactory)) {
			warnOfUnmanagedClasses(beanClasses);
		}
	}

	/**
	 * Returns the names of all beans, and those of factories besides those of their
	 * products.
	 */
	private List<String> beanNames() {
		return Arrays.stream(this.beanFactory.getBeanNamesForType(Object.class, true, false))
			.flatMap((name) -> this.beanFactory.isFactoryBean(name)
					? Stream.of(name, BeanFactory.FACTORY_BEAN_PREFIX + name) : Stream.of(name))
			.toList();
	}

	private static void addClasses(Set<String> names, @Nullable Class<?> type) {
		for (Class<?> current = type; current != null; current = current.getSuperclass()) {
			names.add(current.getName());
		}
	}

	private void warnOfUnmanagedClasses(Set<String> beanClasses) {
		ResourceLoader resourceLoader = new DefaultResourceLoader(this.beanFactory.getBeanClassLoader());
		List<String> packages = AutoConfigurationPackages.get(this.beanFactory);
		new UnmanagedClassesCheck(resourceLoader, beanClasses).find(packages)
			.forEach((name) -> logger.warn(("The limits of %s do nothing, for no bean is of this class: make it a bean,"
					+ " or use a TokenBucket in its methods.")
				.formatted(name)));
	}

	private @Nullable Class<?> type(String beanName) {
		try {
			Class<?> type = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
			return (type != null) ? ClassUtils.getUserClass(type) : null;
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The type of bean '" + beanName + "' is not known", ex);
			return null;
		}
	}

	private void verify(String beanName, Class<?> type, List<LimitedMethod> limited, Set<Fault> faults) {
		List<Method> limitedMethods = this.operationSource.limitedMethods(type);
		faults.addAll(LimitedClass.check(type, limitedMethods));
		for (Method method : limitedMethods) {
			try {
				limited.add(this.methods.of(method, type));
			}
			catch (RateLimitConfigurationException ex) {
				faults.addAll(ex.getFaults());
			}
		}
		if (!limitedMethods.isEmpty()) {
			Object bean = this.beanFactory.getSingleton(BeanFactoryUtils.transformedBeanName(beanName));
			faults.addAll(new AdviceCheck(beanName, type, bean).check(limitedMethods));
		}
	}

	/**
	 * Checks a method against the limits in force. Limits that cannot work have been
	 * reported.
	 */
	private void verifyInForce(LimitedMethod method, Set<Fault> faults) {
		ControllerWaits waits = new ControllerWaits(this.methods.mayPark());
		for (RateLimitedCall call : method.calls()) {
			try {
				verifyInForce(method, call, waits, faults);
			}
			catch (RateLimitConfigurationException ex) {
				faults.addAll(ex.getFaults());
			}
		}
	}

	private static void verifyInForce(LimitedMethod method, RateLimitedCall call, ControllerWaits waits,
			Set<Fault> faults) {
		RateLimitedOperation operation = call.operation();
		call.checkConstantCondition();
		Long tokens = call.constantTokens();
		long capacity = call.limiter().settings().limit().capacity();
		if (tokens != null && (tokens < 1 || tokens > capacity)) {
			faults.add(new Fault(
					"%s can never pass: tokens must be from 1 to the capacity of the rate limit '%s', which is %d"
						.formatted(operation.describe("tokens", operation.tokens()), call.limiter().name(), capacity),
					"Take fewer tokens, or raise the capacity."));
		}
		if (call.mode() == RateLimitMode.REJECT && operation.maxWait() != null
				&& call.limiter().settings().mode() == null) {
			logger.warn("The maxWait of %s does nothing, for the mode is REJECT: set mode = WAIT, or remove maxWait."
				.formatted(operation.limit().place()));
		}
		waits.warnOf(method, call);
	}

	private void report(List<Fault> faults) {
		if (!faults.isEmpty() && this.verification == RateLimitVerification.FAIL) {
			throw new RateLimitConfigurationException(faults);
		}
		if (this.verification == RateLimitVerification.WARN) {
			faults.forEach((fault) -> logger.warn(fault.problem() + ". " + fault.remedy()));
		}
	}

}
