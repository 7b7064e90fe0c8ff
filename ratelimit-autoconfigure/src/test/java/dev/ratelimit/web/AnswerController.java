package dev.ratelimit.web;

import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handler methods that work on either server. All share one limit where it does not
 * matter.
 */
@RestController
class AnswerController {

	private final AnswerService service;

	AnswerController(AnswerService service) {
		this.service = service;
	}

	@GetMapping("/text")
	@RateLimited(name = "export", rate = 5, per = "5m")
	String text() {
		return "text";
	}

	@GetMapping("/entity")
	@RateLimited(name = "export", rate = 5, per = "5m")
	ResponseEntity<String> entity() {
		return ResponseEntity.status(201).header("X-Own", "own").body("entity");
	}

	@GetMapping("/future")
	@RateLimited(name = "export", rate = 5, per = "5m")
	CompletableFuture<String> future() {
		return CompletableFuture.completedFuture("future");
	}

	@GetMapping("/mono")
	@RateLimited(name = "export", rate = 5, per = "5m")
	Mono<String> mono() {
		return Mono.just("mono");
	}

	@GetMapping("/mono-entity")
	@RateLimited(name = "export", rate = 5, per = "5m")
	Mono<ResponseEntity<String>> monoEntity() {
		return Mono.just(ResponseEntity.ok("mono-entity"));
	}

	@GetMapping(path = "/flux", produces = MediaType.APPLICATION_NDJSON_VALUE)
	@RateLimited(name = "export", rate = 5, per = "5m")
	Flux<String> flux() {
		return Flux.just("one", "two");
	}

	@GetMapping("/events")
	@RateLimited(name = "export", rate = 5, per = "5m")
	Flux<ServerSentEvent<String>> events() {
		return Flux.just(ServerSentEvent.builder("one").build(), ServerSentEvent.builder("two").build());
	}

	@GetMapping("/service")
	Mono<String> serviceBelow() {
		return this.service.mono();
	}

	@GetMapping("/service-entity")
	Mono<ResponseEntity<String>> serviceBelowAnEntity() {
		return this.service.mono().map(ResponseEntity::ok);
	}

	@GetMapping("/twice")
	Mono<String> twice() {
		return this.service.mono().then(this.service.mono());
	}

	@CrossOrigin(origins = "https://shop.example", exposedHeaders = { "Retry-After", "RateLimit" })
	@GetMapping("/cross-origin")
	@RateLimited(name = "export", rate = 5, per = "5m")
	Mono<String> crossOrigin() {
		return Mono.just("cross-origin");
	}

	@GetMapping("/unlimited")
	Mono<String> unlimited() {
		return Mono.just("unlimited");
	}

	@GetMapping("/costly")
	@RateLimited(name = "costly", rate = 5, per = "5m", tokens = "#n")
	Mono<String> costly(@RequestParam long n) {
		return Mono.just("costly");
	}

	@GetMapping("/wait")
	@RateLimited(name = "wait", rate = 1, mode = RateLimitMode.WAIT)
	Mono<String> waiting() {
		return Mono.just("wait");
	}

	@GetMapping("/store-unavailable")
	@RateLimited(name = "export", rate = 5, per = "5m")
	Mono<String> storeUnavailable() {
		return Mono.error(new RateLimitStoreUnavailableException("orders", null));
	}

	@GetMapping("/store-unavailable-text")
	@RateLimited(name = "export", rate = 5, per = "5m")
	String storeUnavailableText() {
		throw new RateLimitStoreUnavailableException("orders", new IllegalStateException("down"));
	}

	@GetMapping("/interrupted")
	Mono<String> interrupted() {
		throw new RateLimitWaitInterruptedException("orders", "interrupted");
	}

	@GetMapping("/completion-exception")
	Mono<String> completionException() {
		throw new CompletionException(refusal());
	}

	@GetMapping("/execution-exception")
	Mono<String> executionException() throws ExecutionException {
		throw new ExecutionException(new CompletionException(refusal()));
	}

	@GetMapping("/undeclared-throwable-exception")
	Mono<String> undeclaredThrowableException() {
		return Mono.error(new UndeclaredThrowableException(refusal()));
	}

	@GetMapping("/failed-future")
	CompletableFuture<String> failedFuture() {
		return CompletableFuture.<String>failedFuture(refusal()).thenApply((value) -> value);
	}

	@GetMapping("/cause-of-another")
	Mono<String> causeOfAnother() {
		throw new IllegalStateException("the application's own", refusal());
	}

	private static RateLimitExceededException refusal() {
		return new RateLimitExceededException("thrown", RateLimit.of(5, Duration.ofMinutes(5), 5), 1, 0,
				Duration.ofMillis(44_001));
	}

}
