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

	private boolean callerMissed;

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
		CallContext caller = caller();
		return (caller != null) ? caller.clientIp() : null;
	}

	public @Nullable String getPrincipal() {
		CallContext caller = caller();
		return (caller != null) ? caller.principal() : null;
	}

	public @Nullable String header(String name) {
		CallContext caller = caller();
		return (caller != null) ? caller.header(name) : null;
	}

	private @Nullable CallContext caller() {
		this.callerMissed |= this.context == null;
		return this.context;
	}

	/**
	 * Returns whether an expression has asked who is calling since this was last asked,
	 * and there was no request.
	 */
	boolean hasMissedCaller() {
		boolean missed = this.callerMissed;
		this.callerMissed = false;
		return missed;
	}

}
