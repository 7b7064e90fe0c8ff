package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import jakarta.servlet.http.HttpServletResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Limited in every way in which a controller answers. The bucket {@code five} holds five
 * tokens and fills in five minutes.
 */
@RestController
class QuotaController {

	private static final byte[] MORE_THAN_A_BUFFER = new byte[64 * 1024];

	private final QuotaService service;

	QuotaController(QuotaService service) {
		this.service = service;
	}

	@GetMapping("/text")
	@RateLimited(name = "five", rate = 1, per = "1m", capacity = 5)
	public String text() {
		return "value";
	}

	@GetMapping("/entity-with-headers")
	@RateLimited("five")
	public ResponseEntity<String> entity() {
		return ResponseEntity.accepted().header("X-Own", "1").eTag("v1").body("value");
	}

	@GetMapping("/nothing")
	@RateLimited("five")
	public ResponseEntity<Void> nothing() {
		return ResponseEntity.noContent().build();
	}

	@GetMapping("/callable-value")
	@RateLimited("five")
	public Callable<String> callable() {
		return () -> "value";
	}

	@GetMapping("/deferred-value")
	@RateLimited("five")
	public DeferredResult<String> deferred() {
		DeferredResult<String> result = new DeferredResult<>();
		result.setResult("value");
		return result;
	}

	@GetMapping("/future-value")
	@RateLimited("five")
	public CompletableFuture<String> future() {
		return CompletableFuture.supplyAsync(() -> "value");
	}

	@GetMapping("/mono-value")
	@RateLimited("five")
	public Mono<String> mono() {
		return Mono.just("value");
	}

	@GetMapping("/flux-value")
	@RateLimited("five")
	public Flux<String> flux() {
		return Flux.just("value");
	}

	@GetMapping(path = "/flux-events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	@RateLimited("five")
	public Flux<String> fluxEvents() {
		return Flux.just("value");
	}

	@GetMapping("/emitter-value")
	@RateLimited("five")
	public SseEmitter emitter() throws IOException {
		SseEmitter emitter = new SseEmitter();
		emitter.send("value");
		emitter.complete();
		return emitter;
	}

	@GetMapping("/streaming-value")
	@RateLimited("five")
	public StreamingResponseBody streaming() {
		return (output) -> {
			output.write(MORE_THAN_A_BUFFER);
			output.write("value".getBytes(StandardCharsets.UTF_8));
		};
	}

	@GetMapping("/written-value")
	@RateLimited("five")
	public void written(HttpServletResponse response) throws IOException {
		response.getWriter().write("value");
	}

	@GetMapping("/service-value")
	public String ofService() {
		this.service.charged();
		return "value";
	}

	@GetMapping("/service-callable")
	public Callable<String> ofServiceThenCallable() {
		this.service.charged();
		return () -> "value";
	}

	@GetMapping("/waited-future")
	@RateLimited(name = "slow", rate = 20, capacity = 1, mode = RateLimitMode.WAIT)
	public CompletionStage<String> waitedFuture() {
		return CompletableFuture.completedStage("value");
	}

	@GetMapping(path = "/waited-events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	@RateLimited(name = "slow", mode = RateLimitMode.WAIT)
	public Flux<String> waitedEvents() {
		return Flux.just("value");
	}

	@GetMapping("/several")
	@RateLimited(name = "ten", rate = 10)
	@RateLimited("five")
	public String several() {
		this.service.other();
		return "value";
	}

	@GetMapping("/twice")
	public String twice() {
		this.service.charged();
		this.service.charged();
		return "value";
	}

	@GetMapping("/committed")
	public void committed(HttpServletResponse response) throws IOException {
		response.getOutputStream().print("value");
		response.flushBuffer();
		this.service.charged();
	}

	@GetMapping("/unlimited")
	public String unlimited() {
		return "value";
	}

	@GetMapping("/with-fallback")
	@RateLimited(name = "five", fallback = "fallback")
	public String withFallback() {
		return "value";
	}

	String fallback() {
		return "value of a fallback";
	}

	@GetMapping("/recovered-then-refused")
	public String recoveredThenRefused() {
		try {
			this.service.charged();
		}
		catch (RateLimitExceededException ex) {
			this.service.one();
		}
		return "value";
	}

	@GetMapping("/impossible")
	@RateLimited(name = "five", tokens = "#tokens")
	public String impossible(@RequestParam(defaultValue = "6") int tokens) {
		return "value";
	}

	@GetMapping("/then-interrupted")
	public String thenInterrupted() {
		this.service.charged();
		throw new RateLimitWaitInterruptedException("five", "the context closed");
	}

	@GetMapping("/then-interrupted-handled")
	public String thenInterruptedAndHandled() {
		this.service.charged();
		throw new HandledInterruption();
	}

	@GetMapping("/then-fails")
	public String thenFails() {
		this.service.charged();
		throw new IllegalStateException("other");
	}

	@GetMapping("/handled")
	public String handled() {
		throw new HandledRefusal(this.service);
	}

	@CrossOrigin(origins = "https://shop.example", exposedHeaders = { "RateLimit", "RateLimit-Policy", "Retry-After" })
	@GetMapping("/shared-value")
	@RateLimited("five")
	public String shared() {
		return "value";
	}

	@ExceptionHandler
	ResponseEntity<String> handle(HandledRefusal refusal) {
		return ResponseEntity.status(429).header(HttpHeaders.RETRY_AFTER, "999").body("own");
	}

	@ExceptionHandler
	void handle(HandledInterruption failure, HttpServletResponse response) throws IOException {
		response.sendError(503);
	}

	static final class HandledRefusal extends RateLimitExceededException {

		private static final long serialVersionUID = 1L;

		HandledRefusal(QuotaService service) {
			super("own", QuotaService.limit(), 1, 0, Duration.ofSeconds(7));
		}

	}

	static final class HandledInterruption extends RateLimitWaitInterruptedException {

		private static final long serialVersionUID = 1L;

		HandledInterruption() {
			super("five", "the context closed");
		}

	}

}
