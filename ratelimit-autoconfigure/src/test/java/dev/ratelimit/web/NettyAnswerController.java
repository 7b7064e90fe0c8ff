package dev.ratelimit.web;

import dev.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * Handlers that only Spring WebFlux has.
 */
@RestController
class NettyAnswerController {

	private final AnswerService service;

	NettyAnswerController(AnswerService service) {
		this.service = service;
	}

	@GetMapping("/exchange")
	@RateLimited(name = "export", rate = 5, per = "5m")
	String exchange(ServerWebExchange exchange) {
		return "exchange";
	}

	@GetMapping("/request")
	@RateLimited(name = "export", rate = 5, per = "5m")
	String request(ServerHttpRequest request) {
		return "request";
	}

	@GetMapping("/void")
	@RateLimited(name = "export", rate = 5, per = "5m")
	Mono<Void> complete(ServerWebExchange exchange) {
		return exchange.getResponse().setComplete();
	}

	@GetMapping(path = "/late", produces = MediaType.APPLICATION_NDJSON_VALUE)
	Flux<String> late(@RequestParam int calls) {
		return Flux.just("begun").concatWith(Flux.range(0, calls).concatMap((call) -> this.service.mono()));
	}

	@Bean
	static RouterFunction<ServerResponse> route(AnswerService service) {
		return RouterFunctions.route()
			.GET("/functional", (request) -> service.mono().flatMap(ServerResponse.ok()::bodyValue))
			.build();
	}

}
