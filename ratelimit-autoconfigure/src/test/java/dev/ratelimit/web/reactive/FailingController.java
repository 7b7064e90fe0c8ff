package dev.ratelimit.web.reactive;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Handler methods that fail in every way.
 */
@RestController
class FailingController {

	@GetMapping("/plain/{failure}")
	String plain(@PathVariable Failure failure) {
		throw failure.exception;
	}

	@GetMapping("/mono/{failure}")
	Mono<String> mono(@PathVariable Failure failure) {
		return Mono.error(failure.exception);
	}

	@GetMapping("/flux/{failure}")
	Flux<String> flux(@PathVariable Failure failure) {
		return Flux.error(failure.exception);
	}

	@GetMapping("/future/{failure}")
	CompletableFuture<String> future(@PathVariable Failure failure) {
		return CompletableFuture.supplyAsync(() -> {
			throw failure.exception;
		});
	}

	@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<String> events() {
		return Flux.error(Failure.EXCEEDED.exception);
	}

	@GetMapping("/completion-exception")
	Mono<String> completionException() {
		return Mono.error(new CompletionException(Failure.EXCEEDED.exception));
	}

	@GetMapping("/execution-exception")
	String executionException() throws ExecutionException {
		throw new ExecutionException(Failure.EXCEEDED.exception);
	}

	@GetMapping("/undeclared")
	Mono<String> undeclared() {
		return Mono.error(new UndeclaredThrowableException(new ExecutionException(Failure.EXCEEDED.exception)));
	}

	@GetMapping("/foreign")
	Mono<String> foreign() {
		return Mono.error(new ForeignException(Failure.EXCEEDED.exception));
	}

	@GetMapping("/other")
	Mono<String> other() {
		return Mono.error(new IllegalArgumentException("other"));
	}

	@CrossOrigin("https://shop.example")
	@GetMapping("/cross-origin")
	Mono<String> crossOrigin() {
		return Mono.error(Failure.EXCEEDED.exception);
	}

	@GetMapping("/download")
	ResponseEntity<Flux<String>> download(ServerHttpResponse response) {
		response.getHeaders().add(HttpHeaders.SET_COOKIE, "a=1");
		return ResponseEntity.ok()
			.header(HttpHeaders.CONTENT_DISPOSITION, "attachment")
			.header(HttpHeaders.CONTENT_ENCODING, "br")
			.header(HttpHeaders.CACHE_CONTROL, "max-age=60")
			.header(HttpHeaders.LAST_MODIFIED, "Mon, 30 Nov 2026 22:00:00 GMT")
			.eTag("\"1\"")
			.body(Flux.error(Failure.EXCEEDED.exception));
	}

	@GetMapping(path = "/begun", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<String> begun(ServerWebExchange exchange) {
		return Flux.just("begun").concatWith(Mono.error(Failure.EXCEEDED.exception));
	}

	/**
	 * An exception of the application about a failure of a limit.
	 */
	static class ForeignException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		ForeignException(Throwable cause) {
			super(cause);
		}

	}

}
