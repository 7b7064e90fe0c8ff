package dev.ratelimit.aspect;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limited handler methods of Spring MVC that answer later, over HTTP: however often the
 * container dispatches a request, it pays once.
 */
class MvcAsyncReturnTypesTests {

	private static final int CAPACITY = 10;

	private static ConfigurableApplicationContext context;

	private final HttpClient client = HttpClient.newHttpClient();

	@BeforeAll
	static void start() {
		context = new SpringApplicationBuilder(Application.class).properties("server.port=0").run();
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@BeforeEach
	void refill() {
		context.getBean(RateLimiterRegistry.class).refillAll();
		context.getBean(AsyncController.class).reset();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/callable", "/deferred", "/task", "/streaming", "/streaming-entity", "/emitter", "/sse",
			"/stage", "/future", "/mono", "/flux" })
	void requestPaysOnce(String path) throws Exception {
		HttpResponse<String> response = get(path);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).contains("value");
		assertThat(bucket().availableTokens()).isEqualTo(CAPACITY - 1);
		assertThat(bodies()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/failing-callable", "/failing-deferred", "/failing-task", "/failing-stage", "/failing-mono" })
	void requestThatFailsLaterPaysOnce(String path) throws Exception {
		assertThat(get(path).statusCode()).isEqualTo(500);
		assertThat(bucket().availableTokens()).isEqualTo(CAPACITY - 1);
		assertThat(bodies()).isEqualTo(1);
	}

	@Test
	void requestThatTimesOutPaysOnce() throws Exception {
		assertThat(get("/never").statusCode()).isEqualTo(503);
		assertThat(bucket().availableTokens()).isEqualTo(CAPACITY - 1);
		assertThat(bodies()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/callable", "/deferred", "/task", "/streaming", "/streaming-entity", "/emitter", "/sse",
			"/stage", "/future", "/mono", "/flux" })
	void refusedRequestRunsNothing(String path) throws Exception {
		bucket().tryAcquire(CAPACITY);
		HttpResponse<String> response = get(path);
		assertThat(response.statusCode()).isGreaterThanOrEqualTo(400);
		assertThat(response.body()).doesNotContain("value");
		assertThat(bodies()).isZero();
	}

	private HttpResponse<String> get(String path) throws IOException, InterruptedException {
		String port = context.getEnvironment().getRequiredProperty("local.server.port");
		URI uri = URI.create("http://localhost:" + port + path);
		return this.client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
	}

	private static TokenBucket bucket() {
		return context.getBean(RateLimiterRegistry.class).get("mvc").bucket();
	}

	private static int bodies() {
		return context.getBean(AsyncController.class).bodies();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(AsyncController.class)
	static class Application {

		@Bean
		ManualTimeSource timeSource() {
			return new ManualTimeSource();
		}

	}

	@RestController
	static class AsyncController {

		private final AtomicInteger bodies = new AtomicInteger();

		int bodies() {
			return this.bodies.get();
		}

		void reset() {
			this.bodies.set(0);
		}

		private String run() {
			this.bodies.incrementAndGet();
			return "value";
		}

		private String fail() {
			this.bodies.incrementAndGet();
			throw new IllegalStateException("from the body");
		}

		@GetMapping("/callable")
		@RateLimited(name = "mvc", rate = CAPACITY)
		Callable<String> callable() {
			return this::run;
		}

		@GetMapping("/failing-callable")
		@RateLimited("mvc")
		Callable<String> failingCallable() {
			return this::fail;
		}

		@GetMapping("/deferred")
		@RateLimited("mvc")
		DeferredResult<String> deferred() {
			DeferredResult<String> result = new DeferredResult<>();
			ForkJoinPool.commonPool().execute(() -> result.setResult(run()));
			return result;
		}

		@GetMapping("/failing-deferred")
		@RateLimited("mvc")
		DeferredResult<String> failingDeferred() {
			DeferredResult<String> result = new DeferredResult<>();
			this.bodies.incrementAndGet();
			ForkJoinPool.commonPool().execute(() -> result.setErrorResult(new IllegalStateException("later")));
			return result;
		}

		@GetMapping("/never")
		@RateLimited("mvc")
		DeferredResult<String> never() {
			this.bodies.incrementAndGet();
			return new DeferredResult<>(1L);
		}

		@GetMapping("/task")
		@RateLimited("mvc")
		WebAsyncTask<String> task() {
			return new WebAsyncTask<>(this::run);
		}

		@GetMapping("/failing-task")
		@RateLimited("mvc")
		WebAsyncTask<String> failingTask() {
			return new WebAsyncTask<>(this::fail);
		}

		@GetMapping("/streaming")
		@RateLimited("mvc")
		StreamingResponseBody streaming() {
			return (out) -> out.write(run().getBytes(StandardCharsets.UTF_8));
		}

		@GetMapping("/streaming-entity")
		@RateLimited("mvc")
		ResponseEntity<StreamingResponseBody> streamingEntity() {
			return ResponseEntity.ok((out) -> out.write(run().getBytes(StandardCharsets.UTF_8)));
		}

		@GetMapping("/emitter")
		@RateLimited("mvc")
		ResponseBodyEmitter emitter() {
			return emit(new ResponseBodyEmitter());
		}

		@GetMapping("/sse")
		@RateLimited("mvc")
		SseEmitter sse() {
			return emit(new SseEmitter());
		}

		private <E extends ResponseBodyEmitter> E emit(E emitter) {
			ForkJoinPool.commonPool().execute(() -> {
				try {
					emitter.send(run());
					emitter.complete();
				}
				catch (IOException ex) {
					emitter.completeWithError(ex);
				}
			});
			return emitter;
		}

		@GetMapping("/stage")
		@RateLimited("mvc")
		CompletionStage<String> stage() {
			return CompletableFuture.supplyAsync(this::run);
		}

		@GetMapping("/future")
		@RateLimited("mvc")
		CompletableFuture<String> future() {
			return CompletableFuture.supplyAsync(this::run);
		}

		@GetMapping("/failing-stage")
		@RateLimited("mvc")
		CompletionStage<String> failingStage() {
			return CompletableFuture.supplyAsync(this::fail);
		}

		@GetMapping("/mono")
		@RateLimited("mvc")
		Mono<String> mono() {
			return Mono.fromCallable(this::run);
		}

		@GetMapping("/flux")
		@RateLimited("mvc")
		Flux<String> flux() {
			return Mono.fromCallable(this::run).flux();
		}

		@GetMapping("/failing-mono")
		@RateLimited("mvc")
		Mono<String> failingMono() {
			return Mono.fromCallable(this::fail);
		}

	}

}
