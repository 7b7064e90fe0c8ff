package dev.ratelimit.compat;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the answers of WebFlux, over real HTTP.
 */
class WebFluxTests {

	private static Server server;

	@BeforeAll
	static void startServer() {
		server = Server.start(WebApplicationType.REACTIVE, Application.class);
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Test
	void runsOnNetty() {
		assertThat(server.get("/thread").body()).startsWith("webflux-http-");
	}

	@ParameterizedTest
	@ValueSource(strings = { "mono", "flux", "plain", "future", "exchange", "service" })
	void answersARefusalWithAProblem(String path) {
		assertThat(server.get("/" + path)).returns(200, HttpResponse::statusCode).returns("done", HttpResponse::body);
		Refusal.of(server.get("/" + path)).isThatOf(path, "/" + path);
	}

	@Test
	void tellsAnAcceptedRequestWhatIsLeftForItsAddress() {
		HttpResponse<String> accepted = server.get("/address");
		assertThat(accepted.statusCode()).isEqualTo(200);
		assertThat(accepted.headers().firstValue("RateLimit-Policy").orElseThrow()).startsWith("\"address\";q=2;w=120");
		assertThat(accepted.headers().firstValue("RateLimit").orElseThrow()).startsWith("\"address\";r=1;t=60");
	}

	@Test
	void delaysAReactiveCall() {
		assertThat(server.get("/waiting").body()).isEqualTo("done");
		assertThat(server.get("/waiting").body()).isEqualTo("done");
	}

	@RestController
	static class LimitedController {

		private final LimitedService service;

		LimitedController(LimitedService service) {
			this.service = service;
		}

		@GetMapping("/thread")
		String thread() {
			return Thread.currentThread().getName();
		}

		@GetMapping("/mono")
		@RateLimited(name = "mono", rate = 1, per = "1m")
		Mono<String> mono() {
			return Mono.just("done");
		}

		@GetMapping("/flux")
		@RateLimited(name = "flux", rate = 1, per = "1m")
		Flux<String> flux() {
			return Flux.just("do", "ne");
		}

		@GetMapping("/plain")
		@RateLimited(name = "plain", rate = 1, per = "1m")
		String plain() {
			return "done";
		}

		@GetMapping("/future")
		@RateLimited(name = "future", rate = 1, per = "1m")
		CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("done");
		}

		@GetMapping("/exchange")
		@RateLimited(name = "exchange", rate = 1, per = "1m", key = "header('X-Api-Key')")
		String exchange(ServerWebExchange exchange) {
			return "done";
		}

		@GetMapping("/address")
		@RateLimited(name = "address", rate = 1, per = "1m", capacity = 2, key = "clientIp")
		Mono<String> address() {
			return Mono.just("done");
		}

		@GetMapping("/waiting")
		@RateLimited(name = "waiting", rate = 1, per = "1m", mode = RateLimitMode.WAIT)
		Mono<String> waiting() {
			return Mono.just("done");
		}

		@GetMapping("/service")
		Mono<String> service() {
			return this.service.call();
		}

	}

	static class LimitedService {

		@RateLimited(name = "service", rate = 1, per = "1m")
		Mono<String> call() {
			return Mono.just("done");
		}

	}

	@RestControllerAdvice
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		String handle(Exception ex) {
			return "caught";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ LimitedApplication.class, LimitedController.class, LimitedService.class, CatchAll.class })
	static class Application {

	}

}
