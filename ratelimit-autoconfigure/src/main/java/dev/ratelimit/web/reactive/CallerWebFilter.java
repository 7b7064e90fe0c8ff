package dev.ratelimit.web.reactive;

import java.util.function.BooleanSupplier;

import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Lets limits know who is calling, as the filters before this one found out. It stands
 * behind them all and asks them only on behalf of limits that ask for the caller.
 */
public final class CallerWebFilter implements WebFilter, Ordered {

	private final BooleanSupplier ahead;

	/**
	 * Creates a filter.
	 * @param ahead whether to find out who is calling before the handler runs, for a
	 * method asks that cannot wait for the answer
	 */
	public CallerWebFilter(BooleanSupplier ahead) {
		this.ahead = ahead;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ExchangeCallContext context = ExchangeCallContext.in(exchange.getAttributes());
		return (context != null) ? Mono.deferContextual((view) -> filter(exchange, chain, context, view))
				: chain.filter(exchange);
	}

	private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, ExchangeCallContext context,
			ContextView view) {
		context.authenticatedBy(exchange.getPrincipal().contextWrite(view));
		return this.ahead.getAsBoolean()
				? Mono.fromCompletionStage(context::identified).then(Mono.defer(() -> chain.filter(exchange)))
				: chain.filter(exchange);
	}

}
