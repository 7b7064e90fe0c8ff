package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import dev.ratelimit.core.RateLimitConfigurationException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/**
 * Chooses the adapter of a method by what it returns.
 */
final class ReturnTypeAdapters {

	private static final boolean REACTOR_PRESENT = ClassUtils.isPresent("reactor.core.publisher.Mono",
			ReturnTypeAdapters.class.getClassLoader());

	private static final boolean COROUTINES_REACTOR_PRESENT = ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt",
			ReturnTypeAdapters.class.getClassLoader());

	private final ReturnTypeAdapter blocking = new BlockingAdapter();

	private final ReturnTypeAdapter completionStage;

	ReturnTypeAdapters(Supplier<Executor> executor, TaskDecorator taskDecorator) {
		this.completionStage = new CompletionStageAdapter(executor, taskDecorator);
	}

	/**
	 * Chooses an adapter.
	 * @throws RateLimitConfigurationException if the method cannot be limited
	 */
	ReturnTypeAdapter of(Method method, Class<?> targetClass) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			return suspending(method);
		}
		Class<?> returnType = method.getReturnType();
		if (CompletionStage.class.isAssignableFrom(returnType)) {
			return isAsync(method, targetClass) ? this.blocking : completionStage(method, returnType);
		}
		ReactiveAdapter adapter = REACTOR_PRESENT ? ReactiveAdapterRegistry.getSharedInstance().getAdapter(returnType)
				: null;
		return (adapter != null) ? new ReactorAdapter(adapter, true) : this.blocking;
	}

	/**
	 * Returns whether the method has a thread of its own, which waits for what it
	 * returns: were the method to run on another thread of the same pool after a wait,
	 * the pool could be full of threads that wait for one.
	 */
	private static boolean isAsync(Method method, Class<?> targetClass) {
		return AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(targetClass, Async.class);
	}

	private ReturnTypeAdapter completionStage(Method method, Class<?> returnType) {
		if (!returnType.isAssignableFrom(CompletableFuture.class)) {
			throw new RateLimitConfigurationException(
					"%s cannot be limited, for it returns a CompletionStage of a kind of its own".formatted(method),
					"Let it return CompletionStage or CompletableFuture.");
		}
		return this.completionStage;
	}

	private static ReturnTypeAdapter suspending(Method method) {
		if (!REACTOR_PRESENT || !COROUTINES_REACTOR_PRESENT) {
			throw new RateLimitConfigurationException(
					"The suspending function %s cannot be limited without kotlinx-coroutines-reactor".formatted(method),
					"Add the dependency org.jetbrains.kotlinx:kotlinx-coroutines-reactor.");
		}
		return Suspending.adapter(method);
	}

	/**
	 * Stands apart, for it needs Reactor.
	 */
	private static final class Suspending {

		static ReturnTypeAdapter adapter(Method method) {
			String result = new MethodParameter(method, -1).getParameterType().getName();
			Class<?> type = result.equals("kotlinx.coroutines.flow.Flow") ? Flux.class : Mono.class;
			ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
			return new ReactorAdapter(Objects.requireNonNull(adapter), false);
		}

	}

}
