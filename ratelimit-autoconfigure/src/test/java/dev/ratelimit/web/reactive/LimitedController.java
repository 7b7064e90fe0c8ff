package dev.ratelimit.web.reactive;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Handler methods of every kind, each with a limit of its own: two requests, then one a
 * minute.
 */
@RestController
class LimitedController {

	private final Service service;

	LimitedController(Service service) {
		this.service = service;
	}

	@GetMapping("/mono")
	@RateLimited(name = "mono", rate = 1, per = "1m", capacity = 2)
	Mono<String> mono() {
		return Mono.just("served");
	}

	@GetMapping("/flux")
	@RateLimited(name = "flux", rate = 1, per = "1m", capacity = 2)
	Flux<String> flux() {
		return Flux.just("ser", "ved");
	}

	@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	@RateLimited(name = "events", rate = 1, per = "1m", capacity = 2)
	Flux<ServerSentEvent<String>> events() {
		return Flux.just(ServerSentEvent.builder("served").build());
	}

	@GetMapping("/entity")
	@RateLimited(name = "entity", rate = 1, per = "1m", capacity = 2)
	Mono<ResponseEntity<Flux<String>>> entity() {
		return Mono.just(ResponseEntity.ok(Flux.just("ser", "ved")));
	}

	@GetMapping("/no-content")
	@RateLimited(name = "no-content", rate = 1, per = "1m", capacity = 2)
	Mono<Void> noContent() {
		return Mono.empty();
	}

	@GetMapping("/service")
	Mono<String> service() {
		return Mono.just("x").flatMap((text) -> this.service.serve());
	}

	@GetMapping("/entity-of-service")
	ResponseEntity<Mono<String>> entityOfService() {
		return ResponseEntity.ok(this.service.serve());
	}

	@GetMapping("/plain")
	@RateLimited(name = "plain", rate = 1, per = "1m", capacity = 2)
	String plain() {
		return "served";
	}

	@GetMapping("/future")
	@RateLimited(name = "future", rate = 1, per = "1m", capacity = 2)
	CompletableFuture<String> future() {
		return CompletableFuture.completedFuture("served");
	}

	@GetMapping("/exchange")
	@RateLimited(name = "exchange", rate = 1, per = "1m", capacity = 2, key = "clientIp")
	String exchange(ServerWebExchange exchange) {
		return "served";
	}

	@GetMapping("/request")
	@RateLimited(name = "request", rate = 1, per = "1m", capacity = 2, key = "clientIp")
	CompletableFuture<String> request(ServerHttpRequest request) {
		return CompletableFuture.completedFuture("served");
	}

	@GetMapping("/two")
	@RateLimited(name = "wide", rate = 10, per = "1m")
	@RateLimited(name = "two", rate = 1, per = "1m", capacity = 2)
	Mono<String> two() {
		return Mono.just("served");
	}

	@GetMapping("/unlimited")
	Mono<String> unlimited() {
		return Mono.just("served");
	}

	/**
	 * A service below the controller.
	 */
	static class Service {

		@RateLimited(name = "service", rate = 1, per = "1m", capacity = 2)
		Mono<String> serve() {
			return Mono.just("served");
		}

	}

}
