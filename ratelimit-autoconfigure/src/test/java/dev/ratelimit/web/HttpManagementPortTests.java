package dev.ratelimit.web;

import java.net.http.HttpResponse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for routes and the port at which an application is managed, on either server over
 * real sockets.
 */
class HttpManagementPortTests {

	/**
	 * With both servers on the class path, Spring Boot does not know which one is to
	 * serve the port of a reactive application.
	 */
	private static final String MANAGEMENT_OF_REACTIVE_TOMCAT = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatReactiveManagementContextAutoConfiguration";

	@ParameterizedTest
	@EnumSource
	void aManagementPortOfItsOwnIsNotLimited(HttpServer server) {
		try (HttpApplication application = limited().with("management.server.port", "0").start(server)) {
			for (int i = 0; i < 3; i++) {
				HttpResponse<String> managed = application.getFromManagementPort("/actuator");
				assertThat(managed.statusCode()).isEqualTo(200);
				assertThat(managed.headers().firstValue("RateLimit")).isEmpty();
			}
			assertThat(application.bucket("all").availableTokens()).isEqualTo(1);
			assertThat(application.get("/items").statusCode()).isEqualTo(200);
			assertThat(application.get("/items").statusCode()).isEqualTo(429);
			assertThat(application.getFromManagementPort("/actuator").statusCode()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@EnumSource
	void endpointsAtThePortOfTheApplicationAreLimitedLikeItsOtherPaths(HttpServer server) {
		try (HttpApplication application = limited().start(server)) {
			assertThat(application.get("/actuator").statusCode()).isEqualTo(200);
			assertThat(application.get("/actuator").statusCode()).isEqualTo(429);
		}
	}

	private static HttpApplications limited() {
		return HttpApplications.of(ItemController.class)
			.with("ratelimit.buckets.all.rate", "1")
			.with("spring.autoconfigure.exclude", MANAGEMENT_OF_REACTIVE_TOMCAT)
			.with("ratelimit.http.routes[0].path", "/**")
			.with("ratelimit.http.routes[0].bucket", "all");
	}

	@RestController
	static class ItemController {

		@GetMapping("/items")
		String items() {
			return "ok";
		}

	}

}
