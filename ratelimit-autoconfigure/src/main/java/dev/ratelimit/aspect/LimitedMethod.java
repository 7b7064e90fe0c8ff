package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitRequest;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A method and its limits, ready to be called.
 *
 * @param method the method of the target class
 * @param targetClass the class of the bean, which may inherit the method
 * @param calls its limits
 * @param adapter how it is called, which depends on what it returns
 */
record LimitedMethod(Method method, Class<?> targetClass, List<RateLimitedCall> calls, ReturnTypeAdapter adapter) {

	/**
	 * Returns whether a limit asks for the name of the caller.
	 */
	boolean asksForPrincipal() {
		for (RateLimitedCall call : this.calls) {
			if (call.asksForPrincipal()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns what an invocation asks of the limits that apply to it.
	 */
	LimitedRequests requests(MethodInvocation invocation, @Nullable CallContext context) {
		List<RateLimitRequest> requests = new ArrayList<>(this.calls.size());
		List<RateLimitedCall> asked = new ArrayList<>(this.calls.size());
		for (RateLimitedCall call : this.calls) {
			RateLimitRequest request = request(call, invocation, context);
			if (request != null) {
				requests.add(request);
				asked.add(call);
			}
		}
		return new LimitedRequests(requests, asked);
	}

	/**
	 * Returns what an invocation asks of one limit, or {@code null} if that does not
	 * apply to it.
	 */
	@Nullable RateLimitRequest request(RateLimitedCall call, MethodInvocation invocation, @Nullable CallContext context) {
		RateLimitRequest constant = call.constantRequest();
		return (constant != null) ? constant : call
			.request(new LimitedInvocation(this.method, invocation.getArguments(), invocation.getThis(), context));
	}

}
