package dev.ratelimit.web;

import dev.ratelimit.core.CallContext;
import org.jspecify.annotations.Nullable;

/**
 * A request, as the expressions of its route see it: the root of SpEL expressions.
 */
final class RouteCall {

	private final CallContext context;

	RouteCall(CallContext context) {
		this.context = context;
	}

	public @Nullable String getClientIp() {
		return this.context.clientIp();
	}

	public @Nullable String getPrincipal() {
		return this.context.principal();
	}

	public @Nullable String header(String name) {
		return this.context.header(name);
	}

}
