package dev.ratelimit.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

import dev.ratelimit.annotation.RateLimited;

import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Handlers that only Spring MVC has.
 */
@RestController
class TomcatAnswerController {

	/**
	 * More than Tomcat holds back before it commits a response.
	 */
	private static final int BUFFER = 16 * 1024;

	private final AnswerService service;

	TomcatAnswerController(AnswerService service) {
		this.service = service;
	}

	@GetMapping("/callable")
	@RateLimited(name = "export", rate = 5, per = "5m")
	Callable<String> callable() {
		return () -> "callable";
	}

	@GetMapping("/deferred")
	@RateLimited(name = "export", rate = 5, per = "5m")
	DeferredResult<String> deferred() {
		DeferredResult<String> result = new DeferredResult<>();
		result.setResult("deferred");
		return result;
	}

	@GetMapping("/streaming")
	@RateLimited(name = "export", rate = 5, per = "5m")
	StreamingResponseBody streaming() {
		return (body) -> body.write("streaming".getBytes(StandardCharsets.US_ASCII));
	}

	@GetMapping("/streaming-entity")
	@RateLimited(name = "export", rate = 5, per = "5m")
	ResponseEntity<StreamingResponseBody> streamingEntity() {
		return ResponseEntity.ok(streaming());
	}

	@GetMapping("/emitter")
	@RateLimited(name = "export", rate = 5, per = "5m")
	SseEmitter emitter() throws IOException {
		SseEmitter emitter = new SseEmitter();
		emitter.send("emitter");
		emitter.complete();
		return emitter;
	}

	@GetMapping("/service-text")
	String serviceBelow() {
		return this.service.text();
	}

	@GetMapping("/service-streaming")
	StreamingResponseBody serviceBelowStreaming() {
		String text = this.service.text();
		return (body) -> body.write(text.getBytes(StandardCharsets.US_ASCII));
	}

	@GetMapping("/late-streaming")
	StreamingResponseBody late(@RequestParam int calls) {
		return (body) -> {
			body.write("begun".repeat(BUFFER).getBytes(StandardCharsets.US_ASCII));
			for (int call = 0; call < calls; call++) {
				this.service.text();
			}
		};
	}

	@Bean
	static RouterFunction<ServerResponse> route(AnswerService service) {
		return RouterFunctions.route()
			.GET("/functional", (request) -> ServerResponse.ok().body(service.text()))
			.build();
	}

}
