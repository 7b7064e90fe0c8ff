package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitExceededException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The method that is called when a limit refuses.
 */
final class FallbackMethod {

	private final Method method;

	private final boolean takesException;

	private FallbackMethod(Method method, boolean takesException) {
		this.method = method;
		this.takesException = takesException;
		ReflectionUtils.makeAccessible(method);
	}

	/**
	 * Finds the fallback of a limited method.
	 * @throws RateLimitConfigurationException if there is none that fits
	 */
	static FallbackMethod find(RateLimitedOperation operation, Method method, Class<?> targetClass) {
		List<Class<?>> parameters = parameters(method, targetClass);
		List<Class<?>> withException = new ArrayList<>(parameters);
		int continuation = KotlinDetector.isSuspendingFunction(method) ? 1 : 0;
		withException.add(parameters.size() - continuation, RateLimitExceededException.class);
		ResolvableType result = ResolvableType.forMethodReturnType(method, targetClass);
		for (List<Class<?>> wanted : List.of(withException, parameters)) {
			for (Method candidate : candidates(operation.fallback(), targetClass)) {
				if (fits(candidate, wanted, result, targetClass)) {
					checkExceptions(operation, candidate, method);
					return new FallbackMethod(candidate, wanted != parameters);
				}
			}
		}
		String signature = "%s %s(%s)".formatted(result, operation.fallback(),
				parameters.stream().map(Class::getTypeName).collect(Collectors.joining(", ")));
		throw new RateLimitConfigurationException(
				"%s names no method of %s that fits".formatted(operation.describe("fallback", operation.fallback()),
						targetClass.getName()),
				"Write %s, optionally with a last parameter of type %s.".formatted(signature,
						RateLimitExceededException.class.getName()));
	}

	/**
	 * Checks that what the fallback throws may leave the method: a proxy wraps any other
	 * checked exception.
	 */
	private static void checkExceptions(RateLimitedOperation operation, Method fallback, Method method) {
		for (Class<?> thrown : fallback.getExceptionTypes()) {
			if (!ReflectionUtils.declaresException(method, thrown) && isChecked(thrown)) {
				throw new RateLimitConfigurationException(
						"%s names a method that throws %s, which the limited method does not declare"
							.formatted(operation.describe("fallback", operation.fallback()), thrown.getName()),
						"Declare it at the limited method, or throw an unchecked exception.");
			}
		}
	}

	private static boolean isChecked(Class<?> thrown) {
		return !RuntimeException.class.isAssignableFrom(thrown) && !Error.class.isAssignableFrom(thrown);
	}

	static List<Method> candidates(String name, Class<?> targetClass) {
		return Stream
			.concat(Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(targetClass)),
					ClassUtils.getAllInterfacesForClassAsSet(targetClass)
						.stream()
						.flatMap((type) -> Arrays.stream(type.getMethods())))
			.filter((candidate) -> candidate.getName().equals(name) && !candidate.isBridge())
			.toList();
	}

	private static boolean fits(Method candidate, List<Class<?>> wanted, ResolvableType result, Class<?> targetClass) {
		List<Class<?>> parameters = parameters(candidate, targetClass);
		ResolvableType offered = ResolvableType.forMethodReturnType(candidate, targetClass);
		return parameters.equals(wanted) && (result.isAssignableFrom(offered) || isBoxed(result, offered));
	}

	private static List<Class<?>> parameters(Method method, Class<?> targetClass) {
		return IntStream.range(0, method.getParameterCount())
			.<Class<?>>mapToObj((index) -> resolve(ResolvableType.forMethodParameter(method, index, targetClass)))
			.toList();
	}

	private static boolean isBoxed(ResolvableType result, ResolvableType offered) {
		return resolve(result) != resolve(offered) && ClassUtils
			.resolvePrimitiveIfNecessary(resolve(result)) == ClassUtils.resolvePrimitiveIfNecessary(resolve(offered))
				&& resolve(result) != void.class;
	}

	private static Class<?> resolve(ResolvableType type) {
		return type.resolve(Object.class);
	}

	/**
	 * Calls the fallback. What it throws arrives as it was thrown.
	 */
	@Nullable Object invoke(@Nullable Object target, @Nullable Object[] arguments, RateLimitExceededException refusal)
			throws Throwable {
		return AopUtils.invokeJoinpointUsingReflection(target, this.method,
				this.takesException ? withException(arguments, refusal) : arguments);
	}

	private @Nullable Object[] withException(@Nullable Object[] arguments, RateLimitExceededException refusal) {
		List<@Nullable Object> extended = new ArrayList<>(Arrays.asList(arguments));
		int continuation = KotlinDetector.isSuspendingFunction(this.method) ? 1 : 0;
		extended.add(arguments.length - continuation, refusal);
		return extended.toArray();
	}

}
