package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodClassKey;

/**
 * The limits of methods, each tied to its {@link RateLimiter} when the method is first
 * called.
 */
public final class RateLimitedCalls {

	private final Map<MethodClassKey, List<RateLimitedCall>> calls = new ConcurrentHashMap<>();

	private final RateLimitedOperationSource operationSource;

	private final RateLimiterRegistry registry;

	private final CallContext.@Nullable Source contextSource;

	/**
	 * Creates a collection that fills by itself.
	 * @param operationSource finds the limits of methods
	 * @param registry holds the limiters
	 * @param contextSource finds the request that a call belongs to; {@code null}: calls
	 * belong to none
	 */
	public RateLimitedCalls(RateLimitedOperationSource operationSource, RateLimiterRegistry registry,
			CallContext.@Nullable Source contextSource) {
		this.operationSource = operationSource;
		this.registry = registry;
		this.contextSource = contextSource;
	}

	List<RateLimitedCall> of(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		List<RateLimitedCall> known = this.calls.get(key);
		return (known != null) ? known : this.calls.computeIfAbsent(key, (absent) -> resolve(method, targetClass));
	}

	@Nullable CallContext context() {
		return (this.contextSource != null) ? this.contextSource.current() : null;
	}

	private List<RateLimitedCall> resolve(Method method, Class<?> targetClass) {
		return this.operationSource.operations(method, targetClass).stream().map(this::resolve).toList();
	}

	private RateLimitedCall resolve(RateLimitedOperation operation) {
		this.registry.declare(operation.limit());
		RateLimiter limiter = this.registry.get(operation.limit().name());
		return new RateLimitedCall(limiter, limiter.settings().maxWaitNanos(operation.mode(), operation.maxWait()));
	}

}
