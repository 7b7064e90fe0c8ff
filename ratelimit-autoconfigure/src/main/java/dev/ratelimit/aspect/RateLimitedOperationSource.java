package dev.ratelimit.aspect;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.DeclaredLimit;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ClassUtils;

/**
 * Finds the limits of methods, and remembers them and the methods without any.
 */
public final class RateLimitedOperationSource {

	private final Map<MethodClassKey, Optional<RateLimitedAnnotations>> annotations = new ConcurrentHashMap<>();

	private final Map<MethodClassKey, List<RateLimitedOperation>> operations = new ConcurrentHashMap<>();

	private final InterceptionFaults interceptionFaults = new InterceptionFaults();

	private final UnaryOperator<String> placeholderResolver;

	/**
	 * Creates a source.
	 * @param placeholderResolver replaces <code>${...}</code> in periods and waits
	 */
	public RateLimitedOperationSource(UnaryOperator<String> placeholderResolver) {
		this.placeholderResolver = placeholderResolver;
	}

	/**
	 * Returns whether a method is limited when called on a target of a class.
	 */
	boolean isLimited(Method method, Class<?> targetClass) {
		return annotations(method, targetClass).isPresent();
	}

	/**
	 * Returns the methods of a class that are limited when called on a target of it.
	 */
	List<Method> limitedMethods(Class<?> type) {
		return LimitedClass.methods(type).filter((method) -> isLimited(method, type)).toList();
	}

	InterceptionFaults interceptionFaults() {
		return this.interceptionFaults;
	}

	/**
	 * Returns the limits of a method when called on a target of a class.
	 * @return the limits, possibly none
	 */
	List<RateLimitedOperation> operations(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		List<RateLimitedOperation> known = this.operations.get(key);
		if (known != null) {
			return known;
		}
		List<RateLimitedOperation> operations = annotations(method, targetClass)
			.map((found) -> parse(found, ClassUtils.getUserClass(targetClass)))
			.orElse(List.of());
		this.operations.put(key, operations);
		return operations;
	}

	private Optional<RateLimitedAnnotations> annotations(Method method, Class<?> targetClass) {
		return this.annotations.computeIfAbsent(new MethodClassKey(method, targetClass), (key) -> Optional
			.ofNullable(RateLimitedAnnotations.find(method, ClassUtils.getUserClass(targetClass))));
	}

	private List<RateLimitedOperation> parse(RateLimitedAnnotations found, Class<?> targetClass) {
		List<RateLimitedOperation> operations = new ArrayList<>();
		int unnamed = 0;
		for (MergedAnnotation<RateLimited> annotation : found.annotations()) {
			String name = annotation.getString("name");
			boolean named = !name.isEmpty();
			if (!named) {
				unnamed++;
				name = defaultName(found.place(), targetClass) + ((unnamed > 1) ? "-" + unnamed : "");
			}
			operations.add(parse(found.place(), annotation, name, named, describe(found.place(), targetClass)));
		}
		return List.copyOf(operations);
	}

	private RateLimitedOperation parse(AnnotatedElement element, MergedAnnotation<RateLimited> annotation, String name,
			boolean named, String place) {
		List<Fault> faults = new ArrayList<>();
		if (RateLimiterRegistry.canonicalName(name).isBlank()) {
			faults.add(new Fault("@RateLimited(name = \"%s\") on %s is no name".formatted(name, place),
					"Write a name with letters or digits, or none for the default name."));
		}
		double rate = annotation.getDouble("rate");
		long capacity = annotation.getLong("capacity");
		Duration per = duration(annotation, "per", place, faults);
		boolean saysPer = !Double.isNaN(rate) || !annotation.hasDefaultValue("per");
		DeclaredLimit limit = new DeclaredLimit(name, named, place, Double.isNaN(rate) ? null : rate,
				saysPer ? per : null, (capacity != RateLimited.UNSET_CAPACITY) ? capacity : null);
		Duration maxWait = duration(annotation, "maxWait", place, faults);
		return new RateLimitedOperation(element, limit, annotation.getEnum("mode", RateLimitMode.class), maxWait,
				annotation.getString("key"), annotation.getString("tokens"), annotation.getString("condition"),
				annotation.getString("fallback"), List.copyOf(faults));
	}

	private @Nullable Duration duration(MergedAnnotation<RateLimited> annotation, String attribute, String place,
			List<Fault> faults) {
		String written = annotation.getString(attribute);
		if (written.isEmpty()) {
			return null;
		}
		try {
			return DurationText.parse(this.placeholderResolver.apply(written));
		}
		catch (IllegalArgumentException ex) {
			faults.add(new Fault(
					"@RateLimited(%s = \"%s\") on %s is not a duration: %s".formatted(attribute, written, place,
							ex.getMessage()),
					"Write a number and a unit (\"500ms\", \"30s\", \"5m\", \"1h\", \"1d\"), an ISO 8601 duration"
							+ " (\"PT1H\"), or a placeholder of one."));
			return null;
		}
	}

	private static String defaultName(AnnotatedElement place, Class<?> targetClass) {
		Class<?> type = namingClass(place, targetClass);
		String className = type.isAnonymousClass() ? ClassUtils.getShortName(type) : type.getSimpleName();
		return (place instanceof Method method) ? className + "." + method.getName() : className;
	}

	private static String describe(AnnotatedElement place, Class<?> targetClass) {
		String className = namingClass(place, targetClass).getName();
		return (place instanceof Method method) ? "%s.%s(%s)".formatted(className, method.getName(),
				Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).collect(Collectors.joining(", ")))
				: className;
	}

	/**
	 * Returns the class that gives its name to a limit: that of the bean or, for a proxy
	 * or a lambda, its interface.
	 */
	private static Class<?> namingClass(AnnotatedElement place, Class<?> targetClass) {
		Class<?> declaring = (place instanceof Method method) ? method.getDeclaringClass() : (Class<?>) place;
		if (!Proxy.isProxyClass(targetClass) && !ClassUtils.isLambdaClass(targetClass)) {
			return targetClass;
		}
		return Arrays.stream(targetClass.getInterfaces())
			.filter(declaring::isAssignableFrom)
			.findFirst()
			.orElse(declaring);
	}

}
