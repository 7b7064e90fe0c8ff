package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import dev.ratelimit.core.RateLimiterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.MethodClassKey;
import org.springframework.core.task.TaskDecorator;
import org.springframework.util.ClassUtils;

/**
 * Limited methods, each made ready when startup looks at it or when it is first called.
 */
public final class RateLimitedMethods {

	private final Map<MethodClassKey, LimitedMethod> methods = new ConcurrentHashMap<>();

	private final Set<Class<?>> declaredClasses = ConcurrentHashMap.newKeySet();

	private final RateLimitedOperationSource operationSource;

	private final RateLimiterRegistry registry;

	private final CallContext.@Nullable Source contextSource;

	private final CallExpressionParser expressionParser;

	private final ReturnTypeAdapters returnTypeAdapters;

	/**
	 * Creates a collection that fills by itself.
	 * @param operationSource finds the limits of methods
	 * @param registry holds the limiters
	 * @param contextSource finds the request that a call belongs to; {@code null}: calls
	 * belong to none
	 * @param beanFactory the beans that expressions see
	 * @param executor runs methods that return a
	 * {@link java.util.concurrent.CompletionStage} after a wait
	 * @param taskDecorator what the thread that makes such a call does with it for the
	 * one that runs it
	 */
	public RateLimitedMethods(RateLimitedOperationSource operationSource, RateLimiterRegistry registry,
			CallContext.@Nullable Source contextSource, BeanFactory beanFactory, Supplier<Executor> executor,
			TaskDecorator taskDecorator) {
		this.operationSource = operationSource;
		this.registry = registry;
		this.contextSource = contextSource;
		this.expressionParser = new CallExpressionParser(new BeanFactoryResolver(beanFactory), contextSource != null);
		this.returnTypeAdapters = new ReturnTypeAdapters(executor, taskDecorator);
	}

	/**
	 * Returns a limited method.
	 * @throws RateLimitConfigurationException if its annotations cannot work
	 */
	LimitedMethod of(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		LimitedMethod known = this.methods.get(key);
		return (known != null) ? known : this.methods.computeIfAbsent(key, (absent) -> create(method, targetClass));
	}

	/**
	 * Returns the request that the calling thread works for.
	 */
	@Nullable CallContext context() {
		return (this.contextSource != null) ? this.contextSource.current() : null;
	}

	private LimitedMethod create(Method method, Class<?> targetClass) {
		Class<?> userClass = ClassUtils.getUserClass(targetClass);
		Method specific = AopUtils.getMostSpecificMethod(method, userClass);
		declareAll(userClass);
		List<Fault> faults = new ArrayList<>();
		List<RateLimitedCall> calls = new ArrayList<>();
		for (RateLimitedOperation operation : this.operationSource.operations(method, targetClass)) {
			faults.addAll(operation.faults());
			declare(operation, faults);
			calls.add(create(operation, specific, userClass, faults));
		}
		ReturnTypeAdapter adapter = collect(faults, () -> this.returnTypeAdapters.of(specific, userClass));
		if (adapter == null || !faults.isEmpty()) {
			throw new RateLimitConfigurationException(faults);
		}
		return new LimitedMethod(specific, userClass, List.copyOf(calls), adapter);
	}

	/**
	 * Declares the limits of all methods of a class, for one may get its rate from
	 * another, and a method may be called before startup has looked at the beans. Faults
	 * are reported with the method that has them.
	 */
	private void declareAll(Class<?> type) {
		if (this.declaredClasses.add(type)) {
			for (Method method : this.operationSource.limitedMethods(type)) {
				this.operationSource.operations(method, type)
					.forEach((operation) -> declare(operation, new ArrayList<>()));
			}
		}
	}

	private void declare(RateLimitedOperation operation, List<Fault> faults) {
		if (operation.faults().isEmpty()) {
			collect(faults, () -> {
				this.registry.declare(operation.limit());
				return operation;
			});
		}
	}

	private RateLimitedCall create(RateLimitedOperation operation, Method method, Class<?> targetClass,
			List<Fault> faults) {
		CallExpression key = expression(operation, "key", operation.key(), method, faults);
		CallExpression condition = expression(operation, "condition", operation.condition(), method, faults);
		CallExpression tokens = tokens(operation, method, faults);
		FallbackMethod fallback = operation.fallback().isEmpty() ? null
				: collect(faults, () -> FallbackMethod.find(operation, method, targetClass));
		return new RateLimitedCall(operation, this.registry, key, tokens, condition, fallback);
	}

	private @Nullable CallExpression tokens(RateLimitedOperation operation, Method method, List<Fault> faults) {
		try {
			long constant = Long.parseLong(operation.tokens().strip());
			return (constant != 1) ? new CallExpression.Constant(constant) : null;
		}
		catch (NumberFormatException ex) {
			return expression(operation, "tokens", operation.tokens(), method, faults);
		}
	}

	private @Nullable CallExpression expression(RateLimitedOperation operation, String attribute, String written,
			Method method, List<Fault> faults) {
		return written.isEmpty() ? null
				: collect(faults, () -> this.expressionParser.parse(operation, attribute, written, method));
	}

	private static <T> @Nullable T collect(List<Fault> faults, Supplier<T> part) {
		try {
			return part.get();
		}
		catch (RateLimitConfigurationException ex) {
			faults.addAll(ex.getFaults());
			return null;
		}
	}

}
