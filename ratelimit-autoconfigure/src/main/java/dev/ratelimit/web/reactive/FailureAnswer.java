package dev.ratelimit.web.reactive;

import dev.ratelimit.web.RateLimitProblemMapper;
import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;

/**
 * Answers requests that failed at a limit.
 *
 * @param problemMapper decides on the answers
 */
record FailureAnswer(RateLimitProblemMapper problemMapper) {

	/**
	 * Lets the fields of the response tell of the failure, whoever answers it.
	 */
	static void note(RuntimeException failure, ServerWebExchange exchange) {
		ExchangeCallContext context = ExchangeCallContext.in(exchange.getAttributes());
		if (context != null) {
			context.decisions().endWith(failure);
		}
	}

	Mono<Void> write(RuntimeException failure, ServerWebExchange exchange) {
		return ProblemWriter.write(this.problemMapper.map(failure), exchange);
	}

}
