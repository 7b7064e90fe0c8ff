package dev.ratelimit.aspect;

import java.lang.reflect.Method;

import dev.ratelimit.core.CallContext;
import org.jspecify.annotations.Nullable;

/**
 * A call of a limited method, as expressions see it: the root of SpEL expressions.
 */
final class LimitedInvocation {

	private final Method method;

	private final @Nullable Object[] args;

	private final @Nullable Object target;

	private final @Nullable CallContext context;

	LimitedInvocation(Method method, @Nullable Object[] args, @Nullable Object target, @Nullable CallContext context) {
		this.method = method;
		this.args = args;
		this.target = target;
		this.context = context;
	}

	@Nullable CallContext context() {
		return this.context;
	}

	public Method getMethod() {
		return this.method;
	}

	public @Nullable Object[] getArgs() {
		return this.args;
	}

	public @Nullable Object getTarget() {
		return this.target;
	}

	public @Nullable String getClientIp() {
		return (this.context != null) ? this.context.clientIp() : null;
	}

	public @Nullable String getPrincipal() {
		return (this.context != null) ? this.context.principal() : null;
	}

	public @Nullable String header(String name) {
		return (this.context != null) ? this.context.header(name) : null;
	}

}
