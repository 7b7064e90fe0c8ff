package dev.ratelimit.aspect;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.annotation.RateLimits;
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

	private static final String REQUEST_MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

	private static final List<String> PARTS_OF_ANOTHER_CALL = List.of("org.springframework.context.annotation.Bean",
			"org.springframework.web.bind.annotation.ExceptionHandler",
			"org.springframework.web.bind.annotation.InitBinder",
			"org.springframework.web.bind.annotation.ModelAttribute");

	/**
	 * Finds the annotations of a method: on itself or a method that it overrides, else on
	 * the class or a superclass, else on the method of an interface, else on the
	 * interface. A method that is exempt hides what stands farther away.
	 * @return the annotations, or {@code null} if there are none
	 */
	static @Nullable RateLimitedAnnotations find(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		List<MergedAnnotation<?>> onMethods = search(specific);
		List<MergedAnnotation<?>> onTypes = isLimitedByType(specific) ? search(targetClass) : List.of();
		return Stream
			.of(nearest(onMethods, (place) -> !isOfInterface(place)),
					nearest(onTypes, (place) -> !isOfInterface(place)),
					nearest(onMethods, RateLimitedAnnotations::isOfInterface),
					nearest(onTypes, (place) -> isOfInterface(place) && declares(place, specific)))
			.filter(Objects::nonNull)
			.findFirst()
			.filter((nearest) -> !nearest.annotations().isEmpty())
			.orElse(null);
	}

	/**
	 * Returns the annotations that limit or exempt an element, the nearest first.
	 */
	private static List<MergedAnnotation<?>> search(AnnotatedElement element) {
		MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
		return Stream
			.<MergedAnnotation<?>>concat(annotations.stream(RateLimited.class),
					annotations.stream(RateLimited.Exempt.class))
			.sorted(Comparator.comparingInt(MergedAnnotation::getAggregateIndex))
			.toList();
	}

	private static @Nullable RateLimitedAnnotations nearest(List<MergedAnnotation<?>> annotations,
			Predicate<AnnotatedElement> accepted) {
		return annotations.stream()
			.map(RateLimitedAnnotations::place)
			.filter(accepted)
			.findFirst()
			.map((place) -> new RateLimitedAnnotations(place, limits(annotations, place)))
			.orElse(null);
	}

	@SuppressWarnings("unchecked")
	private static List<MergedAnnotation<RateLimited>> limits(List<MergedAnnotation<?>> annotations,
			AnnotatedElement place) {
		return annotations.stream()
			.filter((annotation) -> annotation.getType() == RateLimited.class && place.equals(annotation.getSource()))
			.map((annotation) -> (MergedAnnotation<RateLimited>) annotation)
			.sorted(Comparator.comparingInt((annotation) -> position(annotation, place)))
			.toList();
	}

	/**
	 * Returns where an annotation is written: Spring finds composed ones last.
	 */
	private static int position(MergedAnnotation<?> annotation, AnnotatedElement place) {
		Class<?> written = annotation.getRoot().getType();
		List<Class<?>> types = Arrays.stream(place.getDeclaredAnnotations())
			.<Class<?>>map(Annotation::annotationType)
			.toList();
		return types.indexOf((written == RateLimited.class && !types.contains(written)) ? RateLimits.class : written);
	}

	private static AnnotatedElement place(MergedAnnotation<?> annotation) {
		return (AnnotatedElement) Objects.requireNonNull(annotation.getSource());
	}

	private static boolean isLimitedByType(Method method) {
		return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& !ReflectionUtils.isObjectMethod(method) && !isPartOfAnotherCall(method);
	}

	/**
	 * Returns whether Spring calls a method for its own ends: of a configuration, to make
	 * a bean; of a controller, in the course of a call of another one, which has been
	 * limited.
	 */
	private static boolean isPartOfAnotherCall(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return PARTS_OF_ANOTHER_CALL.stream().anyMatch(annotations::isPresent)
				&& !annotations.isPresent(REQUEST_MAPPING);
	}

	private static boolean isOfInterface(AnnotatedElement place) {
		return ((place instanceof Method method) ? method.getDeclaringClass() : (Class<?>) place).isInterface();
	}

	private static boolean declares(AnnotatedElement type, Method method) {
		return ClassUtils.hasMethod((Class<?>) type, method.getName(), method.getParameterTypes());
	}

}
