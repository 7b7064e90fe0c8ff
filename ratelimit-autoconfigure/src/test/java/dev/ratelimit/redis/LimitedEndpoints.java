package dev.ratelimit.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitMode;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints of an application on event loops. Those that refuse serve three requests, the
 * others one in a twentieth of a second.
 */
@RestController
class LimitedEndpoints {

	@GetMapping("/reject")
	@RateLimited(name = "reject", rate = 1, per = "1h", capacity = 3)
	Mono<String> reject() {
		return Mono.just("served");
	}

	@GetMapping("/keyed")
	@RateLimited(name = "keyed", rate = 1, per = "1h", capacity = 3, key = "header('X-Key')")
	Flux<String> keyed() {
		return Flux.just("ser", "ved");
	}

	@GetMapping("/several")
	@RateLimited(name = "several", rate = 1, per = "1h", capacity = 3)
	@RateLimited(name = "many", rate = 1, per = "1h", capacity = 5)
	Mono<String> several() {
		return Mono.just("served");
	}

	@GetMapping("/stage")
	@RateLimited(name = "stage", rate = 1, per = "1h", capacity = 3)
	CompletionStage<String> stage() {
		return CompletableFuture.completedStage("served");
	}

	@GetMapping("/wait")
	@RateLimited(name = "wait", rate = 20, capacity = 1, mode = RateLimitMode.WAIT, maxWait = "1m")
	Mono<String> waitForATurn() {
		return Mono.just("served");
	}

	@GetMapping("/wait-stage")
	@RateLimited(name = "wait-stage", rate = 20, capacity = 1, mode = RateLimitMode.WAIT, maxWait = "1m")
	CompletionStage<String> waitingStage() {
		return CompletableFuture.completedStage("served");
	}

	@GetMapping("/route")
	Mono<String> route() {
		return Mono.just("served");
	}

	@GetMapping("/wait-route")
	Mono<String> waitingRoute() {
		return Mono.just("served");
	}

	@GetMapping("/blocking")
	@RateLimited(name = "blocking", rate = 1, per = "1h", capacity = 3)
	String blocking() {
		return "served";
	}

}
