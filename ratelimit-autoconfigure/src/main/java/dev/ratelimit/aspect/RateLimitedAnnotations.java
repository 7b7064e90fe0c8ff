package dev.ratelimit.aspect;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The annotations that limit one method: those of the nearest place that has any.
 *
 * @param place the method or class on which they stand
 * @param annotations the annotations, in the order in which they are written
 */
record RateLimitedAnnotations(AnnotatedElement place, List<MergedAnnotation<RateLimited>> annotations) {

	/**
	 * Finds the annotations of a method: on itself or a method that it overrides, else on
	 * the class or a superclass, else on the method of an interface, else on the
	 * interface.
	 * @return the annotations, or {@code null} if there are none
	 */
	static @Nullable RateLimitedAnnotations find(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		List<MergedAnnotation<RateLimited>> onMethods = search(specific);
		List<MergedAnnotation<RateLimited>> onTypes = isLimitedByType(specific) ? search(targetClass) : List.of();
		return Stream
			.of(nearest(onMethods, (place) -> !isOfInterface(place)),
					nearest(onTypes, (place) -> !isOfInterface(place)),
					nearest(onMethods, RateLimitedAnnotations::isOfInterface),
					nearest(onTypes, (place) -> isOfInterface(place) && declares(place, specific)))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private static List<MergedAnnotation<RateLimited>> search(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(RateLimited.class).toList();
	}

	private static @Nullable RateLimitedAnnotations nearest(List<MergedAnnotation<RateLimited>> annotations,
			Predicate<AnnotatedElement> accepted) {
		return annotations.stream()
			.map(RateLimitedAnnotations::place)
			.filter(accepted)
			.findFirst()
			.map((place) -> new RateLimitedAnnotations(place,
					annotations.stream().filter((annotation) -> place.equals(annotation.getSource())).toList()))
			.orElse(null);
	}

	private static AnnotatedElement place(MergedAnnotation<RateLimited> annotation) {
		return (AnnotatedElement) Objects.requireNonNull(annotation.getSource());
	}

	private static boolean isLimitedByType(Method method) {
		return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& !ReflectionUtils.isObjectMethod(method)
				&& !MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(RateLimited.Exempt.class);
	}

	private static boolean isOfInterface(AnnotatedElement place) {
		return ((place instanceof Method method) ? method.getDeclaringClass() : (Class<?>) place).isInterface();
	}

	private static boolean declares(AnnotatedElement type, Method method) {
		return ClassUtils.hasMethod((Class<?>) type, method.getName(), method.getParameterTypes());
	}

}
