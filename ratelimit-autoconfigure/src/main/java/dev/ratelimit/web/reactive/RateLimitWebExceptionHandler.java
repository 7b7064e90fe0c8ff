package dev.ratelimit.web.reactive;

import dev.ratelimit.web.RateLimitFailures;
import dev.ratelimit.web.RateLimitProblemMapper;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Answers requests that failed at a limit outside of any handler, in a filter for
 * example. It stands before handlers that answer any exception, as that of Spring Boot.
 */
public final class RateLimitWebExceptionHandler implements WebExceptionHandler, Ordered {

	/**
	 * Position of the handler. One of the application that is to answer instead needs a
	 * lower one.
	 */
	public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

	private final FailureAnswer answer;

	/**
	 * Creates a handler.
	 * @param problemMapper decides on the answers
	 */
	public RateLimitWebExceptionHandler(RateLimitProblemMapper problemMapper) {
		this.answer = new FailureAnswer(problemMapper);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable exception) {
		RuntimeException failure = RateLimitFailures.findIn(exception);
		if (failure == null || exchange.getResponse().isCommitted()) {
			return Mono.error(exception);
		}
		FailureAnswer.note(failure, exchange);
		return this.answer.write(failure, exchange);
	}

}
