package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/**
 * The methods of a class that can be limited, and what a limit on the class itself
 * misses.
 */
final class LimitedClass {

	private static final String REQUEST_MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

	private LimitedClass() {
	}

	/**
	 * Returns the methods that a class declares or inherits; those of its interfaces for
	 * a proxy.
	 */
	static Stream<Method> methods(Class<?> type) {
		if (Proxy.isProxyClass(type)) {
			return Arrays.stream(type.getInterfaces()).flatMap((proxied) -> Arrays.stream(proxied.getMethods()));
		}
		List<Method> methods = Arrays
			.stream(type.isInterface() ? type.getMethods() : ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((method) -> method.getDeclaringClass() != Object.class)
			.toList();
		return methods.stream()
			.filter((method) -> !method.isSynthetic() || (method.isBridge() && !hasBridged(methods, method)));
	}

	/**
	 * Returns whether the method behind a bridge is there too. It is not where a public
	 * method is inherited from a class that is not public.
	 */
	private static boolean hasBridged(List<Method> methods, Method bridge) {
		return methods.stream()
			.anyMatch((method) -> !method.isBridge() && method.getName().equals(bridge.getName())
					&& method.getParameterCount() == bridge.getParameterCount());
	}

	/**
	 * Looks for a limit on the class that limits nothing, and for handler methods of a
	 * controller that it leaves out.
	 */
	static List<Fault> check(Class<?> type, List<Method> limitedMethods) {
		List<Fault> faults = new ArrayList<>();
		if (type.isInterface() || !isLimited(type)) {
			return faults;
		}
		if (limitedMethods.isEmpty()) {
			faults.add(new Fault(
					"The limit of %s limits nothing, for the class has no public methods".formatted(type.getName()),
					"Make its methods public, or annotate them."));
			return faults;
		}
		methods(type).filter(LimitedClass::isLeftOut)
			.filter((method) -> !limitedMethods.contains(method))
			.forEach(
					(method) -> faults.add(new Fault(
							"%s.%s is not limited with its class, for it is not public".formatted(type.getName(),
									method.getName()),
							"Make it public, annotate it, or take it out: @RateLimited.Exempt.")));
		return faults;
	}

	private static boolean isLimited(Class<?> type) {
		return MergedAnnotations.from(type, SearchStrategy.SUPERCLASS)
			.stream(RateLimited.class)
			.anyMatch(MergedAnnotation::isPresent);
	}

	private static boolean isLeftOut(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return !Modifier.isPublic(method.getModifiers()) && annotations.isPresent(REQUEST_MAPPING)
				&& !annotations.isPresent(RateLimited.Exempt.class);
	}

}
