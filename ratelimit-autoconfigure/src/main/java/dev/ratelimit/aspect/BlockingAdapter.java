package dev.ratelimit.aspect;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitAdmission;
import dev.ratelimit.core.RateLimitRefusal;
import dev.ratelimit.core.RateLimitRequest;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Limits a method that runs when it is called: the calling thread waits.
 */
final class BlockingAdapter implements ReturnTypeAdapter {

	@Override
	public @Nullable Object call(LimitedMethod method, MethodInvocation invocation, @Nullable CallContext context)
			throws Throwable {
		LimitedRequests limited = method.requests(invocation, context);
		if (limited.requests().size() == 1) {
			RateLimitRequest request = limited.requests().get(0);
			if (request.limiter().admitAtOnce(request, context)) {
				return invocation.proceed();
			}
		}
		RateLimitRefusal refusal = RateLimitAdmission.request(limited.requests(), context).await();
		return (refusal != null) ? limited.refuse(refusal, invocation) : invocation.proceed();
	}

	@Override
	public boolean parks() {
		return true;
	}

}
