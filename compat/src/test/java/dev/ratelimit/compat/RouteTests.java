package dev.ratelimit.compat;

import java.net.http.HttpResponse;

import dev.ratelimit.core.ManualTimeSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for limits on requests that only the configuration knows of.
 */
class RouteTests {

	@ParameterizedTest
	@EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
	void limitsRequestsByTheirPathOnEitherServer(WebApplicationType type) {
		try (Server server = Server.start(type, Application.class, "ratelimit.buckets.users.rate=1",
				"ratelimit.buckets.users.per=1m", "ratelimit.http.routes[0].path=/users/{user}/**",
				"ratelimit.http.routes[0].bucket=users", "ratelimit.http.routes[0].key=#user",
				"ratelimit.http.routes[0].condition=header('X-Test') == null",
				"ratelimit.http.routes[0].methods=GET")) {
			assertThat(server.get("/users/alice/orders")).returns(200, HttpResponse::statusCode)
				.returns("orders of alice", HttpResponse::body)
				.extracting((response) -> response.headers().firstValue("RateLimit").orElseThrow())
				.asString()
				.startsWith("\"users\";r=0;t=1");
			HttpResponse<String> refused = server.get("/users/alice/orders");
			assertThat(refused.statusCode()).isEqualTo(429);
			assertThat(refused.headers().firstValue("Retry-After")).hasValue("60");
			assertThat(refused.body()).contains("\"instance\":\"/users/alice/orders\"",
					"\"violated-policies\":[\"users\"]");
			assertThat(server.get("/users/bob/orders").statusCode()).isEqualTo(200);
			assertThat(server.get("/other").headers().firstValue("RateLimit")).isEmpty();
		}
	}

	@RestController
	static class PlainController {

		@GetMapping("/users/{user}/orders")
		String orders(@PathVariable String user) {
			return "orders of " + user;
		}

		@GetMapping("/other")
		String other() {
			return "done";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(PlainController.class)
	static class Application {

		@Bean
		ManualTimeSource timeSource() {
			return new ManualTimeSource();
		}

	}

}
