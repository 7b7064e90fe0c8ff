package dev.ratelimit.compat;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the answers of Spring MVC, over real HTTP.
 */
class MvcTests {

	private static Server server;

	@BeforeAll
	static void startServer() {
		server = Server.start(WebApplicationType.SERVLET, Application.class);
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain", "interface", "future", "mono" })
	void answersARefusalWithAProblem(String path) {
		assertThat(server.get("/" + path)).returns(200, HttpResponse::statusCode).returns("done", HttpResponse::body);
		Refusal.of(server.get("/" + path)).isThatOf(path, "/" + path);
	}

	@Test
	void tellsAnAcceptedRequestWhatIsLeftForItsAddress() {
		HttpResponse<String> accepted = server.get("/address");
		assertThat(accepted.statusCode()).isEqualTo(200);
		assertThat(accepted.headers().allValues("RateLimit-Policy")).hasSize(1)
			.first()
			.asString()
			.startsWith("\"address\";q=2;w=120");
		assertThat(accepted.headers().allValues("RateLimit")).hasSize(1)
			.first()
			.asString()
			.startsWith("\"address\";r=1;t=60");
	}

	interface Greetings {

		@GetMapping("/interface")
		String greet();

	}

	@RestController
	static class PlainController {

		@GetMapping("/plain")
		@RateLimited(name = "plain", rate = 1, per = "1m")
		String plain() {
			return "done";
		}

		@GetMapping("/address")
		@RateLimited(name = "address", rate = 1, per = "1m", capacity = 2, key = "clientIp")
		String address() {
			return "done";
		}

		@GetMapping("/future")
		@RateLimited(name = "future", rate = 1, per = "1m")
		CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("done");
		}

		@GetMapping("/mono")
		@RateLimited(name = "mono", rate = 1, per = "1m")
		Mono<String> mono() {
			return Mono.just("done");
		}

	}

	@RestController
	static class InterfaceController implements Greetings {

		@Override
		@RateLimited(name = "interface", rate = 1, per = "1m")
		public String greet() {
			return "done";
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
	@EnableAutoConfiguration
	@Import({ PlainController.class, InterfaceController.class, CatchAll.class })
	static class Application {

		@Bean
		ManualTimeSource timeSource() {
			return new ManualTimeSource();
		}

	}

}
