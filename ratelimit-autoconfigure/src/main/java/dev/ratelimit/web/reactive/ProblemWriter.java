package dev.ratelimit.web.reactive;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.ratelimit.web.RateLimitProblem;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * Writes a problem detail in place of a response that was only begun.
 */
final class ProblemWriter {

	private ProblemWriter() {
	}

	static Mono<Void> write(RateLimitProblem problem, ServerWebExchange exchange) {
		byte[] body = problem.toJson(exchange.getRequest().getURI().getRawPath()).getBytes(StandardCharsets.US_ASCII);
		ServerHttpResponse response = exchange.getResponse();
		response.setStatusCode(HttpStatusCode.valueOf(problem.status()));
		HttpHeaders headers = response.getHeaders();
		discardBody(headers);
		problem.headers().forEach(headers::set);
		headers.setContentLength(body.length);
		if (HttpMethod.HEAD.equals(exchange.getRequest().getMethod())) {
			return response.setComplete();
		}
		DataBuffer buffer = response.bufferFactory().wrap(body);
		return response.writeWith(Mono.just(buffer));
	}

	private static void discardBody(HttpHeaders headers) {
		headers.clearContentHeaders();
		headers.setETag(null);
		headers.put(HttpHeaders.LAST_MODIFIED, List.of());
	}

}
