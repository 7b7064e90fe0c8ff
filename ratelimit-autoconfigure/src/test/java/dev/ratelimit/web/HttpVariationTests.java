package dev.ratelimit.web;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import dev.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.filter.CorsFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for answers below a path of the application's own, with Spring's problem details
 * on and behind a filter for other origins, on either server over real sockets.
 */
class HttpVariationTests {

	private static final HttpApplications applications = HttpApplications.of(NameController.class)
		.with(HttpServer.TOMCAT, TomcatOrigins.class)
		.with(HttpServer.NETTY, NettyOrigins.class)
		.with("server.servlet.context-path", "/shop")
		.with("spring.webflux.base-path", "/shop")
		.with("spring.mvc.problemdetails.enabled", "true")
		.with("spring.webflux.problemdetails.enabled", "true");

	private static final HttpApplications disabled = HttpApplications.of(NameController.class)
		.with("ratelimit.enabled", "false");

	@AfterAll
	static void stop() {
		applications.close();
		disabled.close();
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalNamesTheWholePathAsItWasSent(HttpServer server) {
		HttpApplication application = applications.on(server);
		for (String path : List.of("/shop/names/a%20b", "/shop/names/%C3%A9%22", "/shop/names/x%3Cscript%3E")) {
			application.refill();
			assertThat(application.get(path).statusCode()).isEqualTo(200);
			HttpResponse<String> refused = application.get(path + "?secret=1");
			assertThat(refused.statusCode()).isEqualTo(429);
			assertThat(body(refused)).containsEntry("instance", path)
				.containsEntry("type", "https://iana.org/assignments/http-problem-types#quota-exceeded");
		}
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalKeepsTheHeadersOfAFilterForOtherOrigins(HttpServer server) {
		HttpApplication application = applications.on(server);
		application.raw("GET", "/shop/names/a");
		RawResponse refused = application.raw("GET", "/shop/names/a", "Origin: https://shop.example");
		assertThat(refused.status()).isEqualTo(429);
		assertThat(refused.values("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
		assertThat(refused.values("Access-Control-Expose-Headers")).containsExactly("RateLimit");
		assertThat(refused.values("Vary")).contains("Origin");
	}

	@ParameterizedTest
	@EnumSource
	void aPreflightIsNotCounted(HttpServer server) {
		HttpApplication application = applications.on(server);
		RawResponse preflight = application.raw("OPTIONS", "/shop/names/a", "Origin: https://shop.example",
				"Access-Control-Request-Method: GET");
		assertThat(preflight.status()).isEqualTo(200);
		assertThat(preflight.names()).doesNotContain("ratelimit", "ratelimit-policy");
		assertThat(application.bucket("name").availableTokens()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void nothingIsToldWhereLimitsAreOff(HttpServer server) {
		HttpApplication application = disabled.on(server);
		for (int call = 0; call < 3; call++) {
			HttpResponse<String> response = application.get("/names/a");
			assertThat(response.statusCode()).isEqualTo(200);
			assertThat(response.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
		}
	}

	private static Map<String, Object> body(HttpResponse<String> response) {
		return JsonParserFactory.getJsonParser().parseMap(response.body());
	}

	private static CorsConfiguration origins() {
		CorsConfiguration configuration = new CorsConfiguration();
		configuration.addAllowedOrigin("https://shop.example");
		configuration.addAllowedMethod("GET");
		configuration.addExposedHeader("RateLimit");
		return configuration;
	}

	@RestController
	static class NameController {

		@GetMapping("/names/{name}")
		@RateLimited(name = "name", rate = 1)
		Mono<String> name(@PathVariable String name) {
			return Mono.just(name);
		}

	}

	static class TomcatOrigins {

		@Bean
		CorsFilter corsFilter() {
			return new CorsFilter((request) -> origins());
		}

	}

	static class NettyOrigins {

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		CorsWebFilter corsFilter() {
			return new CorsWebFilter((exchange) -> origins());
		}

	}

}
