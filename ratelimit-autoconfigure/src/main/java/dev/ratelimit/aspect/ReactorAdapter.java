package dev.ratelimit.aspect;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitAdmission;
import dev.ratelimit.core.RateLimitRefusal;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.util.Assert;

/**
 * Limits a method that returns a reactive type: the method is called at each
 * subscription, when its tokens are there.
 */
final class ReactorAdapter implements ReturnTypeAdapter {

	private final ReactiveAdapter adapter;

	private final boolean converts;

	/**
	 * Creates an adapter.
	 * @param adapter knows the reactive type
	 * @param converts whether the proxy is to return that type, rather than a publisher
	 * which the proxy itself turns into it
	 */
	ReactorAdapter(ReactiveAdapter adapter, boolean converts) {
		this.adapter = adapter;
		this.converts = converts;
	}

	@Override
	public @Nullable Object call(LimitedMethod method, MethodInvocation invocation, @Nullable CallContext context) {
		Publisher<?> limited = this.adapter.isMultiValue()
				? Flux.deferContextual((view) -> Flux.from(subscribe(method, invocation, context(view, context))))
				: Mono.deferContextual((view) -> Mono.from(subscribe(method, invocation, context(view, context))));
		return this.converts ? this.adapter.fromPublisher(limited) : limited;
	}

	private static @Nullable CallContext context(ContextView view, @Nullable CallContext context) {
		Object bound = view.getOrDefault(CallContext.class, context);
		return (CallContext) bound;
	}

	private Publisher<?> subscribe(LimitedMethod method, MethodInvocation invocation, @Nullable CallContext context) {
		MethodInvocation subscription = ((ProxyMethodInvocation) invocation).invocableClone();
		LimitedRequests limited = method.requests(subscription, context);
		CompletionStage<RateLimitAdmission> asked = RateLimitAdmission.requestAsync(limited.requests(), context);
		CompletableFuture<Admitted> admitted = asked
			.thenCompose(
					(admission) -> admission.whenAdmitted().thenApply((refusal) -> new Admitted(admission, refusal)))
			.toCompletableFuture();
		if (admitted.isDone() && !admitted.isCompletedExceptionally()) {
			return proceed(limited, subscription, admitted.join());
		}
		return Mono.fromFuture(admitted, true)
			.doOnCancel(() -> asked.thenAccept(RateLimitAdmission::cancel))
			.publishOn(Schedulers.parallel())
			.flatMapMany((outcome) -> proceed(limited, subscription, outcome));
	}

	private Publisher<?> proceed(LimitedRequests limited, MethodInvocation invocation, Admitted admitted) {
		Optional<RateLimitRefusal> refusal = admitted.refusal();
		if (refusal.isEmpty() && !admitted.admission().admit()) {
			return Mono.empty();
		}
		try {
			Object result = refusal.isPresent() ? limited.refuse(refusal.get(), invocation) : invocation.proceed();
			Assert.state(result != null, () -> invocation.getMethod() + " returned null");
			return (result instanceof Publisher<?> publisher) ? publisher : this.adapter.toPublisher(result);
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	private record Admitted(RateLimitAdmission admission, Optional<RateLimitRefusal> refusal) {

	}

}
