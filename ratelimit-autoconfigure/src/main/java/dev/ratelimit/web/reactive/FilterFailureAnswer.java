package dev.ratelimit.web.reactive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.DefaultCorsProcessor;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;

/**
 * Answers a request that failed at a limit before it came to its handler, as if it had:
 * with the CORS headers of the handler, and through an exception handler of the
 * application that names the failure.
 */
public final class FilterFailureAnswer {

	private static final Log logger = LogFactory.getLog(FilterFailureAnswer.class);

	private final ListableBeanFactory beanFactory;

	private final RateLimitExceptionAdvice advice;

	/**
	 * Creates an answer.
	 * @param beanFactory the application, whose beans are asked for when a request fails
	 * @param advice answers exceptions of handlers
	 */
	public FilterFailureAnswer(ListableBeanFactory beanFactory, RateLimitExceptionAdvice advice) {
		this.beanFactory = beanFactory;
		this.advice = advice;
	}

	Mono<Void> write(RuntimeException failure, ServerWebExchange exchange) {
		WebFilterChain chain = (filtered) -> answer(failure, filtered);
		for (CorsWebFilter filter : corsFilters()) {
			WebFilterChain inner = chain;
			chain = (filtered) -> filter.filter(filtered, inner);
		}
		return chain.filter(exchange);
	}

	/**
	 * Returns the filters that write CORS headers, which the request may not have come
	 * to, the last first.
	 */
	private List<CorsWebFilter> corsFilters() {
		List<CorsWebFilter> filters = new ArrayList<>(
				this.beanFactory.getBeanProvider(CorsWebFilter.class).orderedStream().toList());
		Collections.reverse(filters);
		return filters;
	}

	private Mono<Void> answer(RuntimeException failure, ServerWebExchange exchange) {
		return handler(exchange).then(Mono.defer(() -> isAllowedOrigin(exchange) ? this.advice.answer(failure, exchange)
				: exchange.getResponse().setComplete()));
	}

	/**
	 * Finds the handler, which lets Spring write its CORS headers.
	 */
	private Mono<Object> handler(ServerWebExchange exchange) {
		Flux<HandlerMapping> mappings = Flux
			.fromStream(() -> this.beanFactory.getBeanProvider(HandlerMapping.class).orderedStream());
		return mappings.concatMap((mapping) -> mapping.getHandler(exchange)).next().onErrorResume((error) -> {
			logger.debug("The request would not have been handled", error);
			return Mono.empty();
		});
	}

	private boolean isAllowedOrigin(ServerWebExchange exchange) {
		if (HttpStatus.FORBIDDEN.equals(exchange.getResponse().getStatusCode())) {
			return false;
		}
		CorsConfiguration configuration = this.beanFactory.getBeanProvider(CorsConfigurationSource.class)
			.orderedStream()
			.<@Nullable CorsConfiguration>map((source) -> source.getCorsConfiguration(exchange))
			.filter((found) -> found != null)
			.findFirst()
			.orElse(null);
		return configuration == null || new DefaultCorsProcessor().process(configuration, exchange);
	}

}
