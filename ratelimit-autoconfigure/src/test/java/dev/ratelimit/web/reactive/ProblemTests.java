package dev.ratelimit.web.reactive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.List;

import dev.ratelimit.web.RateLimitProblem;
import dev.ratelimit.web.RateLimitProblemMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what a client receives wherever its request fails at a limit.
 */
class ProblemTests {

	private static NettyServer server;

	@BeforeAll
	static void startServer() {
		server = NettyServer.start(FailingController.class, OtherPlaces.class);
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/plain/EXCEEDED", "/mono/EXCEEDED", "/flux/EXCEEDED", "/future/EXCEEDED", "/events",
			"/completion-exception", "/execution-exception", "/undeclared", "/function", "/late-function", "/filter" })
	void aRefusalIsAnsweredWhereverItHappens(String path) {
		HttpResponse<String> response = server.get(path);
		assertProblem(response);
		assertThat(response.headers().allValues("Retry-After")).containsExactly("45");
		assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly("\"export\";q=5;w=300");
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"export\";r=0;t=45");
		assertThat(JsonParserFactory.getJsonParser().parseMap(response.body())).containsEntry("instance", path);
	}

	@Test
	void aRequestThatCanNeverPassIsNotToldToRetry() {
		HttpResponse<String> response = server.get("/mono/IMPOSSIBLE");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().map()).doesNotContainKey("retry-after");
	}

	@ParameterizedTest
	@CsvSource({ "/mono/INTERRUPTED, wait-interrupted", "/plain/UNAVAILABLE, store-unavailable",
			"/down-filter, store-unavailable" })
	void anyOtherFailureClaimsNoQuota(String path, String type) {
		HttpResponse<String> response = server.get(path);
		assertThat(response.statusCode()).isEqualTo(503);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
		assertThat(response.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
		assertThat(JsonParserFactory.getJsonParser().parseMap(response.body()))
			.containsEntry("type", "tag:ratelimit.dev,2026:" + type)
			.doesNotContainKey("violated-policies");
	}

	@Test
	void headersForOtherOriginsSurvive() {
		HttpResponse<String> response = server.get("/cross-origin", "Origin", "https://shop.example");
		assertProblem(response);
		assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).hasValue("https://shop.example");
	}

	@Test
	void nothingOfAnAbandonedBodyRemains() {
		HttpResponse<String> response = server.get("/download");
		assertProblem(response);
		assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
		assertThat(response.headers().map()).doesNotContainKeys("content-disposition", "content-encoding", "etag",
				"last-modified");
		assertThat(response.headers().allValues("Set-Cookie")).containsExactly("a=1");
	}

	@Test
	void aBodyThatHasBegunBreaksOff() {
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> server.get("/begun"))
			.withCauseInstanceOf(IOException.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/other", "/foreign" })
	void anotherExceptionIsLeftToTheApplication(String path) {
		assertThat(server.get(path).statusCode()).isEqualTo(500);
	}

	@Test
	void aRouteThatHandlesItsErrorsIsLeftAlone() {
		assertThat(server.get("/handled-function").body()).isEqualTo("handled by the route");
	}

	@Test
	void aHeadRequestThatAFilterRefusesReceivesTheHeadersAlone() {
		HttpResponse<String> response = server.send("HEAD", "/filter");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.body()).isEmpty();
	}

	@Test
	void aCatchAllOutsideOfHandlersDoesNotSwallowARefusal() {
		try (NettyServer other = NettyServer.start(OtherPlaces.class, CatchAllOutside.class)) {
			assertProblem(other.get("/filter"));
			assertThat(other.get("/nowhere").statusCode()).isEqualTo(418);
		}
	}

	@Test
	void answersWithTheProblemOfTheApplicationsMapper() {
		try (NettyServer other = NettyServer.start(FailingController.class, OtherPlaces.class, Mapper.class)) {
			assertThat(other.get("/mono/EXCEEDED").statusCode()).isEqualTo(420);
			assertThat(other.get("/filter").statusCode()).isEqualTo(420);
		}
	}

	static void assertProblem(HttpResponse<String> response) {
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(JsonParserFactory.getJsonParser().parseMap(response.body())).containsEntry("status", 429);
	}

	@Configuration(proxyBeanMethods = false)
	static class OtherPlaces {

		@Bean
		RouterFunction<ServerResponse> routes() {
			return RouterFunctions.route().GET("/function", (request) -> {
				throw Failure.EXCEEDED.exception;
			}).GET("/late-function", (request) -> Mono.error(Failure.EXCEEDED.exception)).build();
		}

		@Bean
		RouterFunction<ServerResponse> handledRoutes() {
			return RouterFunctions.route()
				.GET("/handled-function", (request) -> Mono.error(Failure.EXCEEDED.exception))
				.onError(Exception.class, (ex, request) -> ServerResponse.ok().bodyValue("handled by the route"))
				.build();
		}

		@Bean
		WebFilter failingFilter() {
			return (exchange, chain) -> switch (exchange.getRequest().getPath().value()) {
				case "/filter" -> Mono.error(Failure.EXCEEDED.exception);
				case "/down-filter" -> Mono.error(Failure.UNAVAILABLE.exception);
				default -> chain.filter(exchange);
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CatchAllOutside {

		@Bean
		@Order(-2)
		WebExceptionHandler catchAll() {
			return (exchange, exception) -> {
				exchange.getResponse().setStatusCode(HttpStatus.I_AM_A_TEAPOT);
				return exchange.getResponse().setComplete();
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Mapper {

		@Bean
		RateLimitProblemMapper problemMapper() {
			return (failure) -> new RateLimitProblem(420, "about:blank", "Calm", "Calm down.", List.of(), null);
		}

	}

}
