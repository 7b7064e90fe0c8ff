package dev.ratelimit.web.reactive;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitAdmission;
import dev.ratelimit.core.RateLimitRefusal;
import dev.ratelimit.core.RateLimitRequest;
import dev.ratelimit.web.RateLimitFailures;
import dev.ratelimit.web.RouteLimits;
import dev.ratelimit.web.RouteMatch;
import dev.ratelimit.web.RouteOrder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.server.PathContainer;
import org.springframework.util.Assert;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Asks the limits of the routes of a request before it goes on. A wait is a delay that
 * holds no thread.
 */
public final class RouteLimitWebFilter implements WebFilter, Ordered {

	private final RouteOrder routeOrder;

	private final int order;

	private final RouteLimits limits;

	private final FilterFailureAnswer answer;

	private final ApplicationContext application;

	/**
	 * Creates a filter.
	 * @param routeOrder which routes it is for
	 * @param order its position among the filters
	 * @param limits the limits of the routes
	 * @param answer answers requests that failed at a limit
	 * @param application the application whose requests are limited, but not those to its
	 * management port
	 */
	public RouteLimitWebFilter(RouteOrder routeOrder, int order, RouteLimits limits, FilterFailureAnswer answer,
			ApplicationContext application) {
		this.routeOrder = routeOrder;
		this.order = order;
		this.limits = limits;
		this.answer = answer;
		this.application = application;
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (CorsUtils.isPreFlightRequest(exchange.getRequest()) || isToAManagementPort(exchange)) {
			return chain.filter(exchange);
		}
		PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
		List<RouteMatch> matches = this.limits.match(this.routeOrder, exchange.getRequest().getMethod().name(),
				List.of(path));
		return matches.isEmpty() ? chain.filter(exchange)
				: Mono.deferContextual((view) -> filter(exchange, chain, matches, view));
	}

	/**
	 * A management port of its own is served by a child of the application, with the
	 * filters of the application.
	 */
	private boolean isToAManagementPort(ServerWebExchange exchange) {
		ApplicationContext context = exchange.getApplicationContext();
		return context != null && context.getParent() == this.application;
	}

	private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, List<RouteMatch> matches,
			ContextView view) {
		ExchangeCallContext context = ExchangeCallContext.in(exchange.getAttributes());
		Assert.state(context != null, "a filter has hidden the attributes of the exchange");
		context.authenticatedBy(exchange.getPrincipal().contextWrite(view));
		Mono<CallContext> caller = RouteMatch.askForPrincipal(matches) ? Mono.fromCompletionStage(context::identified)
				: Mono.just(context);
		return caller.flatMap((identified) -> ask(RouteMatch.requests(matches, identified), identified))
			.flatMap((failure) -> failure.isPresent() ? this.answer.write(failure.get(), exchange)
					: chain.filter(exchange));
	}

	/**
	 * Returns what the request fails with, if it does; nothing if it was cancelled.
	 */
	private static Mono<Optional<RuntimeException>> ask(List<RateLimitRequest> requests, CallContext context) {
		CompletionStage<RateLimitAdmission> asked = RateLimitAdmission.requestAsync(requests, context);
		CompletableFuture<Admitted> admitted = asked
			.thenCompose(
					(admission) -> admission.whenAdmitted().thenApply((refusal) -> new Admitted(admission, refusal)))
			.toCompletableFuture();
		Mono<Admitted> decided = Mono.fromFuture(admitted, true)
			.doOnCancel(() -> asked.thenAccept(RateLimitAdmission::cancel));
		return (admitted.isDone() ? decided : decided.publishOn(Schedulers.parallel()))
			.flatMap((outcome) -> Mono.justOrEmpty(outcome.failure()))
			.onErrorResume((error) -> RateLimitFailures.findIn(error) != null,
					(error) -> Mono.just(Optional.ofNullable(RateLimitFailures.findIn(error))));
	}

	private record Admitted(RateLimitAdmission admission, Optional<RateLimitRefusal> refusal) {

		private Optional<Optional<RuntimeException>> failure() {
			Optional<RuntimeException> refused = this.refusal.map(RateLimitRefusal::exception);
			return (refused.isPresent() || this.admission.admit()) ? Optional.of(refused) : Optional.empty();
		}

	}

}
