package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;

/**
 * Checks that the limited methods of a bean are advised.
 *
 * @param beanName name of the bean
 * @param type its class
 * @param bean the bean; {@code null}: there is none yet
 */
record AdviceCheck(String beanName, Class<?> type, @Nullable Object bean) {

	private static final int NEVER_INTERCEPTED = Modifier.FINAL | Modifier.STATIC | Modifier.PRIVATE;

	private static final String OTHERWISE = ", or use a TokenBucket in its body.";

	List<Fault> check(List<Method> methods) {
		List<Fault> faults = new ArrayList<>();
		methods.forEach((method) -> checkModifiers(method, faults));
		if (RateLimitedAdvisor.advises(this.bean)) {
			if (this.bean != null && Proxy.isProxyClass(this.bean.getClass())) {
				checkJdkProxy(this.bean, methods, faults);
			}
		}
		else if (this.type.isInstance(this.bean) && !MockBeans.isMock(this.bean)) {
			faults.add(notAdvised(methods.get(0)));
		}
		return faults;
	}

	private void checkModifiers(Method method, List<Fault> faults) {
		String obstacle = obstacle(method, this.type);
		if (obstacle != null) {
			faults.add(
					new Fault(
							"%s of bean '%s' cannot be limited, for it is %s".formatted(describe(method), this.beanName,
									obstacle),
							"Make it an instance method that is neither private nor final" + OTHERWISE));
		}
	}

	/**
	 * Returns why a proxy cannot intercept a method, or {@code null} if it can.
	 */
	static @Nullable String obstacle(Method method, Class<?> type) {
		int modifiers = method.getModifiers();
		if ((modifiers & NEVER_INTERCEPTED) != 0) {
			return Modifier.toString(modifiers & NEVER_INTERCEPTED);
		}
		boolean packagePrivate = (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0;
		return (packagePrivate && !method.getDeclaringClass().getPackage().equals(type.getPackage()))
				? "package-private in another package" : null;
	}

	private Fault notAdvised(Method method) {
		if (Modifier.isFinal(this.type.getModifiers())) {
			return new Fault("%s of bean '%s' cannot be limited, for its class is final".formatted(describe(method),
					this.beanName), "Make the class extensible" + OTHERWISE);
		}
		return new Fault(
				"%s of bean '%s' is not limited, for the bean is not advised".formatted(describe(method),
						this.beanName),
				"Let Spring create the bean, by a @Bean method or component scanning and after all bean post-processors"
						+ OTHERWISE);
	}

	private void checkJdkProxy(Object proxy, List<Method> methods, List<Fault> faults) {
		if (AnnotatedElementUtils.hasAnnotation(this.type, Controller.class)) {
			faults.add(new Fault(
					"The controller '%s' (%s) is limited by a JDK proxy, which Spring does not take for a controller"
						.formatted(this.beanName, this.type.getName()),
					"Remove spring.aop.proxy-target-class=false."));
			return;
		}
		methods.stream()
			.filter((method) -> !isDeclared(proxy, method))
			.forEach((method) -> faults.add(new Fault(
					"%s of bean '%s' cannot be limited, for the bean is a JDK proxy and no interface of it has the method"
						.formatted(describe(method), this.beanName),
					"Add the method to an interface, or remove spring.aop.proxy-target-class=false.")));
	}

	private static boolean isDeclared(Object proxy, Method method) {
		return Arrays.stream(proxy.getClass().getInterfaces())
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.anyMatch((declared) -> declared.getName().equals(method.getName())
					&& declared.getParameterCount() == method.getParameterCount());
	}

	private String describe(Method method) {
		Class<?> place = Proxy.isProxyClass(this.type) ? method.getDeclaringClass() : this.type;
		return "%s.%s".formatted(place.getName(), method.getName());
	}

}
