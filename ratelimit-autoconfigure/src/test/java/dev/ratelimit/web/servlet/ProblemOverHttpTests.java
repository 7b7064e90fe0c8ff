package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import dev.ratelimit.web.servlet.ExceptionHandlers.ExceptionAdvice;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for what a client receives when its request fails at a limit.
 */
class ProblemOverHttpTests {

	private static TestServer server;

	@BeforeAll
	static void startServer() {
		server = TestServer.start(FailingController.class, SpecialController.class);
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Test
	void aRefusalIsAnsweredAsTheContractSays() {
		HttpResponse<String> response = server.get("/plain/EXCEEDED?page=2");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
		assertThat(response.headers().allValues("Retry-After")).containsExactly("45");
		assertThat(JsonParserFactory.getJsonParser().parseMap(response.body())).containsExactly(
				entry("type", "https://iana.org/assignments/http-problem-types#quota-exceeded"),
				entry("title", "Quota Exceeded"), entry("status", 429),
				entry("detail", "Too many requests; try again in 45 seconds."), entry("instance", "/plain/EXCEEDED"),
				entry("violated-policies", List.of("export")));
	}

	@Test
	void aRequestThatCanNeverPassIsNotToldToRetry() {
		HttpResponse<String> response = server.get("/plain/IMPOSSIBLE");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().map()).doesNotContainKey("retry-after");
	}

	@ParameterizedTest
	@EnumSource(names = { "INTERRUPTED", "UNAVAILABLE" })
	void anyOtherFailureClaimsNoQuota(Failure failure) {
		HttpResponse<String> response = server.get("/plain/" + failure);
		assertThat(response.statusCode()).isEqualTo(503);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
		Map<String, Object> problem = JsonParserFactory.getJsonParser().parseMap(response.body());
		assertThat(problem).containsEntry("status", 503)
			.containsEntry("instance", "/plain/" + failure)
			.doesNotContainKey("violated-policies");
	}

	@ParameterizedTest
	@ValueSource(strings = { "*/*", "application/json", "application/xml", "text/html", "text/event-stream",
			"image/png", "no-media-type", "application/problem+json;q=0" })
	void theProblemIsJsonWhateverTheClientAccepts(String accept) {
		assertProblem(server.get("/callable/EXCEEDED", "Accept", accept));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/events", "/emitter" })
	void aClientOfServerSentEventsReceivesTheProblem(String path) {
		assertProblem(server.get(path, "Accept", "text/event-stream"));
	}

	@Test
	void aHeadRequestReceivesTheHeadersAlone() {
		HttpResponse<String> response = server.send("HEAD", "/plain/EXCEEDED");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(response.headers().firstValue("Retry-After")).hasValue("45");
		assertThat(response.body()).isEmpty();
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
		assertThat(response.headers().map()).doesNotContainKeys("content-disposition", "content-encoding", "etag");
	}

	@Test
	void everyOtherHeaderSurvives() {
		HttpResponse<String> response = server.get("/cookies");
		assertProblem(response);
		assertThat(response.headers().allValues("Set-Cookie")).containsExactly("a=1", "b=2");
	}

	@Test
	void nothingOfAnAbandonedWriterRemains() {
		assertProblem(server.get("/writer"));
	}

	@Test
	void aBodyThatHasBegunBreaksOff() {
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> server.get("/begun"))
			.withCauseInstanceOf(IOException.class);
	}

	@Test
	void anotherExceptionIsLeftToTheApplication() {
		assertThat(server.get("/other").statusCode()).isEqualTo(500);
	}

	static void assertProblem(HttpResponse<String> response) {
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(JsonParserFactory.getJsonParser().parseMap(response.body())).containsEntry("status", 429);
	}

}
