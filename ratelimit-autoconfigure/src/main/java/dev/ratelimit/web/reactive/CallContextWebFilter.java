package dev.ratelimit.web.reactive;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.web.ClientIpResolver;
import dev.ratelimit.web.RateLimitHeaders;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Puts a {@link CallContext} into the Reactor context of each request, and what limits
 * decided into the fields of its response. The filter stands before nearly all others,
 * those of Spring Security included, so that their limits see the request too.
 */
public final class CallContextWebFilter implements WebFilter, Ordered {

	/**
	 * Position of the filter: behind the few that observe all that follows.
	 */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private final ClientIpResolver clientIpResolver;

	private final RateLimitHeaders headers;

	/**
	 * Creates a filter.
	 * @param clientIpResolver finds the address of the client
	 * @param headers writes the fields of the response
	 */
	public CallContextWebFilter(ClientIpResolver clientIpResolver, RateLimitHeaders headers) {
		this.clientIpResolver = clientIpResolver;
		this.headers = headers;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return Mono.deferContextual((outer) -> filter(exchange, chain, outer));
	}

	private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, ContextView outer) {
		ServerHttpRequest request = exchange.getRequest();
		ExchangeCallContext context = new ExchangeCallContext(request, ReceivedRequests.in(outer, request),
				this.clientIpResolver);
		context.authenticatedBy(exchange.getPrincipal().contextWrite(outer));
		context.putInto(exchange.getAttributes());
		ServerHttpResponse response = exchange.getResponse();
		response.beforeCommit(() -> Mono.fromRunnable(() -> write(context, response.getHeaders())));
		return chain.filter(exchange).contextWrite(Context.of(CallContext.class, context));
	}

	private void write(ExchangeCallContext context, HttpHeaders responseHeaders) {
		this.headers.of(context.decisions().list()).forEach(responseHeaders::set);
	}

}
