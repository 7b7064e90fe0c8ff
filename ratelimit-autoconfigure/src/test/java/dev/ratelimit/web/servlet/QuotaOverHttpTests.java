package dev.ratelimit.web.servlet;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TimeSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what responses tell about the limits of their requests.
 */
class QuotaOverHttpTests {

	private static TestServer server;

	@BeforeAll
	static void startServer() {
		server = TestServer.start(QuotaController.class, QuotaService.class, Time.class);
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@BeforeEach
	void refill() {
		registry().refillAll();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/text", "/entity-with-headers", "/nothing", "/callable-value", "/deferred-value",
			"/future-value", "/mono-value", "/flux-value", "/flux-events", "/emitter-value", "/streaming-value",
			"/written-value", "/service-value", "/service-callable" })
	void anAcceptedRequestIsToldWhatRemains(String path) {
		HttpResponse<String> response = server.get(path);
		assertThat(response.statusCode()).isBetween(200, 204);
		assertThat(response.body()).satisfiesAnyOf((body) -> assertThat(body).contains("value"),
				(body) -> assertThat(response.statusCode()).isEqualTo(204));
		assertQuota(response, "\"five\";q=5;w=300", "\"five\";r=4;t=240");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/text", "/entity-with-headers", "/callable-value", "/deferred-value", "/future-value",
			"/mono-value", "/flux-value", "/flux-events", "/emitter-value", "/streaming-value", "/service-value" })
	void aRefusedRequestIsToldWhenItWouldPass(String path) {
		registry().get("five").bucket().tryAcquire(5);
		HttpResponse<String> response = server.get(path, "Accept", "text/event-stream, */*");
		ProblemOverHttpTests.assertProblem(response);
		assertQuota(response, "\"five\";q=5;w=300", "\"five\";r=0;t=60");
		assertThat(response.headers().allValues("Retry-After")).containsExactly("60");
	}

	@Test
	void aRequestWhoseWaitEndsOnAnotherThreadIsToldWhatRemains() {
		ManualTimeSource time = new ManualTimeSource();
		try (TestServer still = TestServer.start(Map.of(),
				(context) -> context.registerBean(TimeSource.class, () -> time), QuotaController.class,
				QuotaService.class)) {
			still.bean(RateLimiterRegistry.class).get("slow").bucket().tryAcquire(1);
			CompletableFuture<HttpResponse<String>> response = still.getLater("/waited-future");
			while (time.waiters() == 0) {
				Thread.onSpinWait();
			}
			time.advance(Duration.ofMillis(50));
			assertThat(response.join().headers().allValues("RateLimit")).containsExactly("\"slow\";r=0;t=1");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/waited-future", "/waited-events" })
	void aRequestThatWaitedIsToldWhatRemains(String path) {
		registry().get("slow").bucket().tryAcquire(1);
		HttpResponse<String> response = server.get(path);
		assertThat(response.body()).contains("value");
		assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly("\"slow\";q=1;w=1");
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"slow\";r=0;t=1");
	}

	@Test
	void everyLimitIsListedAndTheNearestToExhaustionStandsForAll() {
		assertQuota(server.get("/several"), "\"five\";q=5;w=300, \"ten\";q=10;w=1, \"other\";q=100;w=360000",
				"\"five\";r=4;t=240");
	}

	@Test
	void aLimitThatIsAskedTwiceIsListedOnceWithWhatRemainsAtLast() {
		assertQuota(server.get("/twice"), "\"five\";q=5;w=300", "\"five\";r=3;t=180");
	}

	@Test
	void aRefusalListsTheLimitsThatAcceptedBefore() {
		registry().get("other").bucket().tryAcquire(100);
		HttpResponse<String> response = server.get("/several");
		assertThat(response.statusCode()).isEqualTo(429);
		assertQuota(response, "\"five\";q=5;w=300, \"ten\";q=10;w=1, \"other\";q=100;w=360000", "\"other\";r=0;t=3600");
		assertThat(response.headers().allValues("Retry-After")).containsExactly("3600");
	}

	@Test
	void aRefusalSpeaksOfTheLimitThatItsProblemNames() {
		registry().get("five").bucket().tryAcquire(5);
		registry().get("one").bucket().tryAcquire(1);
		HttpResponse<String> response = server.get("/recovered-then-refused");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.body()).contains("\"violated-policies\":[\"one\"]");
		assertQuota(response, "\"five\";q=5;w=300, \"one\";q=1;w=2", "\"one\";r=0;t=2");
		assertThat(response.headers().allValues("Retry-After")).containsExactly("2");
	}

	@Test
	void aFallbackIsToldOfTheRefusalThatItStandsInFor() {
		registry().get("five").bucket().tryAcquire(5);
		HttpResponse<String> response = server.get("/with-fallback");
		assertThat(response.statusCode()).isEqualTo(200);
		assertQuota(response, "\"five\";q=5;w=300", "\"five\";r=0;t=60");
	}

	@Test
	void whatCanNeverPassIsNotToldWhen() {
		HttpResponse<String> response = server.get("/impossible");
		assertThat(response.statusCode()).isEqualTo(429);
		assertQuota(response, "\"five\";q=5;w=300", "\"five\";r=5");
		assertThat(response.headers().allValues("Retry-After")).isEmpty();
	}

	@Test
	void aHandlerOfTheApplicationHasItsWayAndTheFieldsStand() {
		HttpResponse<String> response = server.get("/handled");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.body()).isEqualTo("own");
		assertThat(response.headers().allValues("Retry-After")).containsExactly("999");
		assertQuota(response, "\"own\";q=1;w=7", "\"own\";r=0;t=7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/then-interrupted", "/then-interrupted-handled" })
	void aWaitThatWasEndedClaimsNoQuota(String path) {
		HttpResponse<String> response = server.get(path);
		assertThat(response.statusCode()).isEqualTo(503);
		assertNoQuota(response);
	}

	@Test
	void anotherFailureLeavesTheDecisionsStanding() {
		HttpResponse<String> response = server.get("/then-fails");
		assertThat(response.statusCode()).isEqualTo(500);
		assertQuota(response, "\"five\";q=5;w=300", "\"five\";r=4;t=240");
	}

	@Test
	void nothingIsAddedToACommittedResponse() {
		HttpResponse<String> response = server.get("/committed");
		assertThat(response.body()).isEqualTo("value");
		assertNoQuota(response);
		assertThat(registry().get("five").bucket().availableTokens()).isEqualTo(4);
	}

	@Test
	void aRequestWithoutALimitIsToldNothing() {
		assertNoQuota(server.get("/unlimited"));
	}

	@Test
	void aHeadRequestIsToldTheSame() {
		HttpResponse<String> accepted = server.send("HEAD", "/text");
		assertThat(accepted.body()).isEmpty();
		assertQuota(accepted, "\"five\";q=5;w=300", "\"five\";r=4;t=240");
		registry().get("five").bucket().tryAcquire(4);
		HttpResponse<String> refused = server.send("HEAD", "/text");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.body()).isEmpty();
		assertQuota(refused, "\"five\";q=5;w=300", "\"five\";r=0;t=60");
	}

	@Test
	void aScriptOfAnotherOriginMayReadTheFields() {
		registry().get("five").bucket().tryAcquire(5);
		HttpResponse<String> response = server.get("/shared-value", "Origin", "https://shop.example");
		ProblemOverHttpTests.assertProblem(response);
		assertThat(response.headers().allValues("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
		assertThat(response.headers().allValues("Access-Control-Expose-Headers"))
			.containsExactly("RateLimit, RateLimit-Policy, Retry-After");
		assertQuota(response, "\"five\";q=5;w=300", "\"five\";r=0;t=60");
	}

	@Test
	void timePassingIsTold() {
		server.get("/text");
		server.bean(ManualTimeSource.class).advance(Duration.ofSeconds(59));
		assertQuota(server.get("/text"), "\"five\";q=5;w=300", "\"five\";r=3;t=180");
		registry().get("five").bucket().tryAcquire(3);
		HttpResponse<String> refused = server.get("/text");
		assertQuota(refused, "\"five\";q=5;w=300", "\"five\";r=0;t=1");
		assertThat(refused.headers().allValues("Retry-After")).containsExactly("1");
	}

	@Test
	void theLegacyStyleIsAChoice() {
		try (TestServer legacy = TestServer.start(Map.of("ratelimit.http.headers", "legacy"), QuotaController.class,
				QuotaService.class, Time.class)) {
			HttpResponse<String> response = legacy.get("/several");
			assertNoQuota(response);
			assertThat(response.headers().allValues("X-RateLimit-Limit")).containsExactly("5");
			assertThat(response.headers().allValues("X-RateLimit-Remaining")).containsExactly("4");
			assertThat(response.headers().allValues("X-RateLimit-Reset")).containsExactly("240");
			assertThat(legacy.get("/then-interrupted").headers().map()).doesNotContainKeys("x-ratelimit-limit",
					"x-ratelimit-remaining", "x-ratelimit-reset");
		}
	}

	@Test
	void noFieldsAtAllAreAChoice() {
		try (TestServer none = TestServer.start(Map.of("ratelimit.http.headers", "none"), QuotaController.class,
				QuotaService.class, Time.class)) {
			assertNoQuota(none.get("/text"));
			HttpResponse<String> refused = none.get("/impossible");
			assertThat(refused.statusCode()).isEqualTo(429);
			assertNoQuota(refused);
		}
	}

	private static RateLimiterRegistry registry() {
		return server.bean(RateLimiterRegistry.class);
	}

	private static void assertQuota(HttpResponse<String> response, String policy, String limit) {
		List<String> policies = response.headers().allValues("RateLimit-Policy");
		assertThat(policies).singleElement()
			.asString()
			.satisfies((field) -> assertThat(field.split(", ")).containsExactlyInAnyOrder(policy.split(", ")));
		assertThat(response.headers().allValues("RateLimit")).containsExactly(limit);
	}

	private static void assertNoQuota(HttpResponse<String> response) {
		assertThat(response.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
	}

	@Configuration(proxyBeanMethods = false)
	static class Time {

		@Bean
		ManualTimeSource timeSource() {
			return ManualTimeSource.autoAdvancing();
		}

	}

}
