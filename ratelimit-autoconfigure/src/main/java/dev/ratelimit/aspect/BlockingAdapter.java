package dev.ratelimit.aspect;

import java.util.List;

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
		if (method.calls().size() > 1) {
			return call(method.requests(invocation, context), invocation, context);
		}
		RateLimitRequest request = method.request(method.calls().get(0), invocation, context);
		if (request == null || request.limiter().admitAtOnce(request, context)) {
			return invocation.proceed();
		}
		return call(new LimitedRequests(List.of(request), method.calls()), invocation, context);
	}

	private static @Nullable Object call(LimitedRequests limited, MethodInvocation invocation,
			@Nullable CallContext context) throws Throwable {
		RateLimitRefusal refusal = RateLimitAdmission.request(limited.requests(), context).await();
		return (refusal != null) ? limited.refuse(refusal, invocation) : invocation.proceed();
	}

	@Override
	public boolean parks() {
		return true;
	}

}
