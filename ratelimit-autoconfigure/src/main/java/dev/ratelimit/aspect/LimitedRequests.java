package dev.ratelimit.aspect;

import java.util.List;

import dev.ratelimit.core.RateLimitRefusal;
import dev.ratelimit.core.RateLimitRequest;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * What one invocation asks of its limits.
 *
 * @param requests what is asked
 * @param calls of whom it is asked, in the same order
 */
record LimitedRequests(List<RateLimitRequest> requests, List<RateLimitedCall> calls) {

	/**
	 * Answers a refused invocation: by the fallback of the limit that refused, else by
	 * its exception.
	 */
	@SuppressWarnings("ReferenceEquality") // two limits may be asked for the same
	@Nullable Object refuse(RateLimitRefusal refusal, MethodInvocation invocation) throws Throwable {
		for (int i = 0; i < this.requests.size(); i++) {
			FallbackMethod fallback = this.calls.get(i).fallback();
			if (this.requests.get(i) == refusal.request() && fallback != null) {
				return fallback.invoke(invocation.getThis(), invocation.getArguments(), refusal.exception());
			}
		}
		throw refusal.exception();
	}

}
