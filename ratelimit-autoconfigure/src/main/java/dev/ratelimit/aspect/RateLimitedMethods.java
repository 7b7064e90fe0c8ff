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
import dev.ratelimit.expression.ExpressionBeans;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
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

	private volatile boolean needsPrincipalAhead;

	/**
	 * Creates a collection that fills by itself.
	 * @param operationSource finds the limits of methods
	 * @param registry holds the limiters
	 * @param contextSource finds the request that a call belongs to; {@code null}: calls
	 * belong to none
	 * @param beans the beans that expressions see
	 * @param executor runs methods that return a
	 * {@link java.util.concurrent.CompletionStage} after a wait
	 * @param taskDecorator what the thread that makes such a call does with it for the
	 * one that runs it
	 */
	public RateLimitedMethods(RateLimitedOperationSource operationSource, RateLimiterRegistry registry,
			CallContext.@Nullable Source contextSource, ExpressionBeans beans, Supplier<Executor> executor,
			TaskDecorator taskDecorator) {
		this.operationSource = operationSource;
		this.registry = registry;
		this.contextSource = contextSource;
		this.expressionParser = new CallExpressionParser(beans);
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
	 * Returns the request that a call belongs to, as far as the call itself tells.
	 */
	@Nullable CallContext context(@Nullable Object[] arguments) {
		return (this.contextSource != null) ? this.contextSource.of(arguments) : null;
	}

	/**
	 * Returns whether a limit asks for the name of the caller on a method that is called
	 * whether or not the name is known, for it is not reactive.
	 * @return {@code true} if the caller must be found out before the method is called
	 */
	public boolean needsPrincipalAhead() {
		return this.needsPrincipalAhead;
	}

	/**
	 * Returns whether a call may park the thread that serves a request.
	 */
	boolean mayPark() {
		return this.contextSource == null || this.contextSource.mayPark();
	}

	private LimitedMethod create(Method method, Class<?> targetClass) {
		Class<?> userClass = ClassUtils.getUserClass(targetClass);
		Method specific = AopUtils.getMostSpecificMethod(method, userClass);
		declareAll(userClass);
		List<Fault> faults = new ArrayList<>();
		ReturnTypeAdapter adapter = collect(faults, () -> this.returnTypeAdapters.of(specific, userClass));
		CallerCheck caller = new CallerCheck(this.contextSource, specific, adapter != null && adapter.isSubscribed());
		List<RateLimitedCall> calls = new ArrayList<>();
		for (RateLimitedOperation operation : this.operationSource.operations(method, targetClass)) {
			faults.addAll(operation.faults());
			declare(operation, faults);
			calls.add(create(operation, specific, userClass, caller, faults));
		}
		if (adapter == null || !faults.isEmpty()) {
			throw new RateLimitConfigurationException(faults);
		}
		LimitedMethod limited = new LimitedMethod(specific, userClass, List.copyOf(calls), adapter);
		if (limited.asksForPrincipal() && !adapter.isSubscribed()) {
			this.needsPrincipalAhead = true;
		}
		return limited;
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
			CallerCheck caller, List<Fault> faults) {
		CallExpression key = expression(operation, "key", operation.key(), method, caller, faults);
		CallExpression condition = expression(operation, "condition", operation.condition(), method, caller, faults);
		CallExpression tokens = tokens(operation, method, caller, faults);
		FallbackMethod fallback = operation.fallback().isEmpty() ? null
				: collect(faults, () -> FallbackMethod.find(operation, method, targetClass));
		return new RateLimitedCall(operation, this.registry, key, tokens, condition, fallback);
	}

	private @Nullable CallExpression tokens(RateLimitedOperation operation, Method method, CallerCheck caller,
			List<Fault> faults) {
		try {
			long constant = Long.parseLong(operation.tokens().strip());
			return (constant != 1) ? new CallExpression.Constant(constant) : null;
		}
		catch (NumberFormatException ex) {
			return expression(operation, "tokens", operation.tokens(), method, caller, faults);
		}
	}

	private @Nullable CallExpression expression(RateLimitedOperation operation, String attribute, String written,
			Method method, CallerCheck caller, List<Fault> faults) {
		return written.isEmpty() ? null
				: collect(faults, () -> this.expressionParser.parse(operation, attribute, written, method, caller));
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
