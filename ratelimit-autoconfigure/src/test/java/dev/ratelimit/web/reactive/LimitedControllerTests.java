package dev.ratelimit.web.reactive;

import java.net.http.HttpResponse;
import java.util.List;

import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for what a client receives from limited handlers, accepted and refused.
 */
class LimitedControllerTests {

	private static NettyServer server;

	@BeforeAll
	static void startServer() {
		server = NettyServer.start(LimitedController.class, LimitedController.Service.class,
				SuspendingController.class);
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@BeforeEach
	void refill() {
		server.bean(RateLimiterRegistry.class).refillAll();
	}

	@ParameterizedTest
	@ValueSource(strings = { "mono", "flux", "entity", "service", "suspend", "flow", "exchange", "request" })
	void anAcceptedResponseCarriesTheFields(String name) {
		HttpResponse<String> response = server.get("/" + name);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).isEqualTo("served");
		assertFields(response, "\"" + name + "\";q=2;w=120", "\"" + name + "\";r=1;t=60");
	}

	@Test
	void anEventStreamCarriesTheFields() {
		HttpResponse<String> response = server.get("/events");
		assertThat(response.body()).contains("data:served");
		assertFields(response, "\"events\";q=2;w=120", "\"events\";r=1;t=60");
	}

	@Test
	void aResponseWithoutBodyCarriesTheFields() {
		assertFields(server.get("/no-content"), "\"no-content\";q=2;w=120", "\"no-content\";r=1;t=60");
	}

	@Test
	void aResponseWhoseBodyALimitedServiceMakesCarriesTheFields() {
		assertFields(server.get("/entity-of-service"), "\"service\";q=2;w=120", "\"service\";r=1;t=60");
	}

	@Test
	void severalLimitsAreListedAndTheNearestToExhaustionIsTold() {
		assertFields(server.get("/two"), "\"wide\";q=10;w=60, \"two\";q=2;w=120", "\"two\";r=1;t=60");
	}

	@Test
	void anUnlimitedResponseCarriesNoFields() {
		assertNoFields(server.get("/unlimited"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain", "future" })
	void aMethodThatCannotKnowItsRequestIsLimitedWithoutFields(String name) {
		HttpResponse<String> response = server.get("/" + name);
		assertThat(response.body()).isEqualTo("served");
		assertNoFields(response);
	}

	@ParameterizedTest
	@ValueSource(strings = { "mono", "flux", "events", "entity", "no-content", "service", "entity-of-service",
			"suspend", "flow", "plain", "future", "exchange", "request", "two" })
	void aRefusalIsAnsweredAsTheContractSays(String path) {
		server.get("/" + path);
		server.get("/" + path);
		HttpResponse<String> response = server.get("/" + path + "?page=2");
		String bucket = path.equals("entity-of-service") ? "service" : path;
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
		assertThat(response.headers().allValues("Retry-After")).containsExactly("60");
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"" + bucket + "\";r=0;t=60");
		assertThat(response.headers().firstValue("RateLimit-Policy").orElseThrow())
			.endsWith("\"" + bucket + "\";q=2;w=120");
		assertThat(JsonParserFactory.getJsonParser().parseMap(response.body())).containsExactly(
				entry("type", "https://iana.org/assignments/http-problem-types#quota-exceeded"),
				entry("title", "Quota Exceeded"), entry("status", 429),
				entry("detail", "Too many requests; try again in 60 seconds."), entry("instance", "/" + path),
				entry("violated-policies", List.of(bucket)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "*/*", "application/json", "application/xml", "text/html", "text/event-stream",
			"image/png", "no-media-type", "application/problem+json;q=0" })
	void theProblemIsJsonWhateverTheClientAccepts(String accept) {
		server.get("/no-content");
		server.get("/no-content");
		HttpResponse<String> response = server.get("/no-content", "Accept", accept);
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
	}

	@Test
	void aHeadRequestReceivesTheHeadersAlone() {
		server.get("/mono");
		server.get("/mono");
		HttpResponse<String> response = server.send("HEAD", "/mono");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(response.headers().firstValue("Retry-After")).hasValue("60");
		assertThat(response.body()).isEmpty();
	}

	@Test
	void olderFieldsAreWrittenOnDemand() {
		try (NettyServer legacy = NettyServer.start(new String[] { "ratelimit.http.headers=legacy" },
				LimitedController.class, LimitedController.Service.class)) {
			HttpResponse<String> response = legacy.get("/mono");
			assertThat(response.headers().allValues("X-RateLimit-Remaining")).containsExactly("1");
			assertNoFields(response);
		}
	}

	@Test
	void noFieldsAreWrittenOnDemand() {
		try (NettyServer none = NettyServer.start(new String[] { "ratelimit.http.headers=none" },
				LimitedController.class, LimitedController.Service.class)) {
			assertThat(none.get("/mono").headers().map().keySet())
				.noneMatch((name) -> name.toLowerCase().contains("ratelimit"));
		}
	}

	private static void assertFields(HttpResponse<String> response, String policy, String limit) {
		assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly(policy);
		assertThat(response.headers().allValues("RateLimit")).containsExactly(limit);
	}

	private static void assertNoFields(HttpResponse<String> response) {
		assertThat(response.headers().allValues("RateLimit-Policy")).isEmpty();
		assertThat(response.headers().allValues("RateLimit")).isEmpty();
	}

}
