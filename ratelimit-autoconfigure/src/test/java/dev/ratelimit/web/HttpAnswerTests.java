package dev.ratelimit.web;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.core.ManualTimeSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for what a client of a limited application receives, on either server over real
 * sockets.
 */
class HttpAnswerTests {

	static final String POLICY = "\"export\";q=5;w=300";

	private static final int CAPACITY = 5;

	private static final List<String> SUBSCRIBED = List.of("/mono", "/mono-entity", "/flux", "/events", "/service",
			"/service-entity", "/functional", "/cross-origin");

	private static final List<String> CALLED_BY_TOMCAT = List.of("/text", "/entity", "/future", "/callable",
			"/deferred", "/streaming", "/streaming-entity", "/emitter", "/service-text", "/service-streaming");

	private static final List<String> CALLED_BY_NETTY = List.of("/exchange", "/request", "/void");

	/**
	 * Methods that cannot know the request that they are called for.
	 */
	private static final List<String> ALONE_ON_NETTY = List.of("/text", "/entity", "/future");

	private static final HttpApplications applications = HttpApplications
		.of(AnswerService.class, AnswerController.class)
		.with(HttpServer.TOMCAT, TomcatAnswerController.class)
		.with(HttpServer.NETTY, NettyAnswerController.class);

	@AfterAll
	static void stop() {
		applications.close();
	}

	@ParameterizedTest
	@MethodSource("pathsThatKnowTheirRequest")
	void anAcceptedResponseCarriesTheFields(HttpServer server, String path) {
		HttpApplication application = applications.on(server);
		for (int left = CAPACITY - 1; left >= 0; left--) {
			HttpResponse<String> response = application.get(path);
			assertThat(response.statusCode()).isBetween(200, 201);
			assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly(POLICY);
			assertThat(response.headers().allValues("RateLimit"))
				.containsExactly("\"export\";r=" + left + ";t=" + Math.max(1, left * 60));
			assertThat(response.headers().map()).doesNotContainKeys("retry-after", "x-ratelimit-limit");
		}
	}

	@ParameterizedTest
	@EnumSource
	void anAcceptedResponseKeepsWhatTheApplicationSays(HttpServer server) {
		HttpResponse<String> response = applications.on(server).get("/entity");
		assertThat(response.statusCode()).isEqualTo(201);
		assertThat(response.headers().allValues("X-Own")).containsExactly("own");
		assertThat(response.body()).isEqualTo("entity");
	}

	@ParameterizedTest
	@EnumSource
	void anAcceptedEventStreamIsAnEventStream(HttpServer server) {
		HttpResponse<String> response = applications.on(server).get("/events", "Accept", "text/event-stream");
		assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
		assertThat(response.body()).isEqualTo("data:one\n\ndata:two\n\n");
	}

	@ParameterizedTest
	@MethodSource("allPaths")
	void aRefusalIsAnsweredAsTheContractSays(HttpServer server, String path) {
		HttpApplication application = applications.on(server);
		exhaust(application, path);
		application.time().advance(Duration.ofSeconds(15));
		HttpResponse<String> response = application.get(path + "?page=2");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
		assertThat(response.headers().allValues("Retry-After")).containsExactly("45");
		assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly(POLICY);
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"export\";r=0;t=45");
		assertThat(response.headers().map()).doesNotContainKey("x-own");
		Map<String, Object> body = body(response);
		assertThat(body.get("detail")).asString().isNotBlank();
		assertThat(body).containsExactly(
				entry("type", "https://iana.org/assignments/http-problem-types#quota-exceeded"),
				entry("title", "Quota Exceeded"), entry("status", 429), entry("detail", body.get("detail")),
				entry("instance", path), entry("violated-policies", List.of("export")));
	}

	@Test
	void eitherServerGivesTheSameRefusalToTheByte() {
		List<String> answers = new ArrayList<>();
		for (HttpServer server : HttpServer.values()) {
			HttpApplication application = applications.on(server);
			exhaust(application, "/mono");
			RawResponse response = application.raw("GET", "/mono");
			answers.add(Stream.of("content-type", "cache-control", "retry-after", "ratelimit-policy", "ratelimit")
				.map((name) -> name + response.values(name))
				.toList() + application.get("/mono").body());
		}
		assertThat(answers.get(0)).contains("ratelimit[").isEqualTo(answers.get(1));
	}

	@ParameterizedTest
	@MethodSource("pathsThatAnswerHead")
	void aRefusedHeadRequestHasNoBody(HttpServer server, String path) {
		HttpApplication application = applications.on(server);
		exhaust(application, path);
		RawResponse response = application.raw("HEAD", path);
		assertThat(response.status()).isEqualTo(429);
		assertThat(response.values("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.values("Retry-After")).containsExactly("60");
		assertThat(response.values("RateLimit-Policy")).containsExactly(POLICY);
		assertThat(response.values("RateLimit")).containsExactly("\"export\";r=0;t=60");
		assertThat(response.rest()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void anAcceptedHeadRequestCarriesTheFields(HttpServer server) {
		RawResponse response = applications.on(server).raw("HEAD", "/mono");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.values("RateLimit-Policy")).containsExactly(POLICY);
		assertThat(response.values("RateLimit")).containsExactly("\"export\";r=4;t=240");
		assertThat(response.rest()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalKeepsItsHeadersForOtherOrigins(HttpServer server) {
		HttpApplication application = applications.on(server);
		exhaust(application, "/mono");
		RawResponse response = application.raw("GET", "/cross-origin", "Origin: https://shop.example");
		assertThat(response.status()).isEqualTo(429);
		assertThat(response.values("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
		assertThat(response.values("Access-Control-Expose-Headers")).containsExactly("Retry-After, RateLimit");
		assertThat(response.values("Vary")).contains("Origin");
		assertThat(response.values("RateLimit")).containsExactly("\"export\";r=0;t=60");
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalOfAnotherOriginIsNotOpenedToIt(HttpServer server) {
		HttpApplication application = applications.on(server);
		exhaust(application, "/mono");
		RawResponse response = application.raw("GET", "/cross-origin", "Origin: https://evil.example");
		assertThat(response.status()).isEqualTo(403);
		assertThat(response.values("Access-Control-Allow-Origin")).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("acceptHeaders")
	void aRefusalIsAProblemWhateverTheClientAccepts(HttpServer server, String path, String accept) {
		HttpApplication application = applications.on(server);
		exhaust(application, "/mono");
		HttpResponse<String> response = application.get(path, "Accept", accept);
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(body(response)).containsEntry("status", 429).containsEntry("instance", path);
	}

	@ParameterizedTest
	@EnumSource
	void aRequestThatNoLimitSawCarriesNoFields(HttpServer server) {
		HttpResponse<String> response = applications.on(server).get("/unlimited");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
	}

	@ParameterizedTest
	@EnumSource
	void aLimitThatIsAskedTwiceIsToldOnce(HttpServer server) {
		HttpResponse<String> response = applications.on(server).get("/twice");
		assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly(POLICY);
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"export\";r=3;t=180");
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalTellsTheTokensThatAreThereAndWhenItsOwnCostIs(HttpServer server) {
		HttpApplication application = applications.on(server);
		assertThat(application.get("/costly?n=2").headers().firstValue("RateLimit")).hasValue("\"costly\";r=3;t=180");
		HttpResponse<String> response = application.get("/costly?n=4");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().firstValue("Retry-After")).hasValue("60");
		assertThat(response.headers().firstValue("RateLimit")).hasValue("\"costly\";r=3;t=60");
	}

	@ParameterizedTest
	@EnumSource
	void aRequestThatCanNeverPassIsNotToldToRetry(HttpServer server) {
		HttpResponse<String> response = applications.on(server).get("/costly?n=6");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().map()).doesNotContainKey("retry-after");
		assertThat(response.headers().firstValue("RateLimit-Policy")).hasValue("\"costly\";q=5;w=300");
		assertThat(response.headers().firstValue("RateLimit")).hasValue("\"costly\";r=5");
		assertThat(body(response)).containsEntry("violated-policies", List.of("costly"));
	}

	@ParameterizedTest
	@MethodSource("unavailable")
	void whatIsNoRefusalClaimsNoQuota(HttpServer server, String path) {
		HttpResponse<String> response = applications.on(server).get(path);
		assertUnavailable(response);
		assertThat(body(response)).containsEntry("instance", path);
	}

	@ParameterizedTest
	@EnumSource
	void anInterruptedWaitAndAStoreThatIsDownAreProblemsOfTheirOwn(HttpServer server) {
		HttpApplication application = applications.on(server);
		Object interrupted = body(application.get("/interrupted")).get("type");
		Object unavailable = body(application.get("/store-unavailable")).get("type");
		Object refused = body(application.get("/costly?n=6")).get("type");
		assertThat(List.of(interrupted, unavailable, refused)).doesNotHaveDuplicates().doesNotContain("about:blank");
	}

	@ParameterizedTest
	@EnumSource
	void aCallThatWaitsWhenTheApplicationEndsIsAnswered(HttpServer server) {
		HttpApplication application = applications.start(server);
		application.get("/wait");
		CompletableFuture<HttpResponse<String>> waiting = CompletableFuture.supplyAsync(() -> application.get("/wait"));
		awaitWaiter(application.time());
		application.close();
		HttpResponse<String> response = waiting.orTimeout(30, TimeUnit.SECONDS).join();
		assertUnavailable(response);
	}

	@ParameterizedTest
	@EnumSource
	void aCallThatWaitedTellsWhatIsLeft(HttpServer server) {
		HttpApplication application = applications.on(server);
		application.get("/wait");
		CompletableFuture<HttpResponse<String>> waiting = CompletableFuture.supplyAsync(() -> application.get("/wait"));
		awaitWaiter(application.time());
		application.time().advance(Duration.ofSeconds(1));
		HttpResponse<String> response = waiting.orTimeout(30, TimeUnit.SECONDS).join();
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly("\"wait\";q=1;w=1");
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"wait\";r=0;t=1");
	}

	@ParameterizedTest
	@MethodSource("wrapped")
	void aWrappedRefusalIsARefusal(HttpServer server, String path) {
		HttpResponse<String> response = applications.on(server).get(path);
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.headers().allValues("Retry-After")).containsExactly("45");
		assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly("\"thrown\";q=5;w=300");
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"thrown\";r=0;t=45");
	}

	@ParameterizedTest
	@EnumSource
	void anExceptionOfTheApplicationIsItsOwn(HttpServer server) {
		HttpResponse<String> response = applications.on(server).get("/cause-of-another");
		assertThat(response.statusCode()).isEqualTo(500);
		assertThat(response.headers().map()).doesNotContainKeys("retry-after", "ratelimit");
	}

	@ParameterizedTest
	@MethodSource("latePaths")
	void nothingIsAddedToACommittedResponse(HttpServer server, String path) {
		RawResponse response = applications.on(server).raw("GET", path + "?calls=3");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.names()).doesNotContain("ratelimit", "ratelimit-policy", "trailer");
		assertThat(response.rest()).contains("begun").endsWith("0\r\n\r\n").doesNotContainIgnoringCase("ratelimit");
		assertThat(applications.on(server).bucket("export").availableTokens()).isEqualTo(CAPACITY);
	}

	@ParameterizedTest
	@MethodSource("latePaths")
	void aCommittedResponseIsBrokenOffByARefusal(HttpServer server, String path) {
		RawResponse response = applications.on(server).raw("GET", path + "?calls=6");
		assertThat(response.status()).isEqualTo(200);
		assertThat(response.names()).doesNotContain("ratelimit", "ratelimit-policy", "retry-after");
		assertThat(response.rest()).contains("begun")
			.doesNotContain("0\r\n\r\n")
			.doesNotContain("violated-policies")
			.doesNotContainIgnoringCase("ratelimit");
	}

	private static void exhaust(HttpApplication application, String path) {
		for (int call = 0; call < CAPACITY; call++) {
			assertThat(application.get(path).statusCode()).isBetween(200, 201);
		}
	}

	private static void awaitWaiter(ManualTimeSource time) {
		long start = System.nanoTime();
		while (time.waiters() == 0) {
			if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(30)) {
				throw new AssertionError("nobody waits");
			}
			Thread.onSpinWait();
		}
	}

	private static void assertUnavailable(HttpResponse<String> response) {
		assertThat(response.statusCode()).isEqualTo(503);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
		assertThat(response.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy", "x-ratelimit-limit");
		assertThat(body(response)).containsEntry("status", 503)
			.containsKeys("type", "title", "detail")
			.doesNotContainKey("violated-policies");
	}

	private static Map<String, Object> body(HttpResponse<String> response) {
		return JsonParserFactory.getJsonParser().parseMap(response.body());
	}

	private static Stream<Arguments> pathsThatKnowTheirRequest() {
		return Stream.concat(onBoth(SUBSCRIBED),
				Stream.concat(on(HttpServer.TOMCAT, CALLED_BY_TOMCAT), on(HttpServer.NETTY, CALLED_BY_NETTY)));
	}

	private static Stream<Arguments> allPaths() {
		return Stream.concat(pathsThatKnowTheirRequest(), on(HttpServer.NETTY, ALONE_ON_NETTY));
	}

	/**
	 * A functional route for GET is none for HEAD, and WebFlux does not subscribe to an
	 * event stream that it will not send.
	 */
	private static Stream<Arguments> pathsThatAnswerHead() {
		return allPaths().filter((arguments) -> !arguments.get()[1].equals("/functional"))
			.filter((arguments) -> !List.of(arguments.get()).equals(List.of(HttpServer.NETTY, "/events")));
	}

	private static Stream<Arguments> acceptHeaders() {
		return Stream
			.of("*/*", "application/json", "application/xml", "text/html", "text/event-stream", "image/png",
					"no-media-type", "application/problem+json;q=0")
			.flatMap((accept) -> Stream.of("/text", "/events")
				.filter((path) -> path.equals("/text") || accept.equals("*/*") || accept.equals("text/event-stream"))
				.flatMap((path) -> Stream.of(HttpServer.values()).map((server) -> Arguments.of(server, path, accept))));
	}

	private static Stream<Arguments> unavailable() {
		return onBoth(List.of("/interrupted", "/store-unavailable", "/store-unavailable-text"));
	}

	private static Stream<Arguments> wrapped() {
		return onBoth(List.of("/completion-exception", "/execution-exception", "/undeclared-throwable-exception",
				"/failed-future"));
	}

	private static Stream<Arguments> latePaths() {
		return Stream.of(Arguments.of(HttpServer.TOMCAT, "/late-streaming"), Arguments.of(HttpServer.NETTY, "/late"));
	}

	private static Stream<Arguments> onBoth(List<String> paths) {
		return Stream.of(HttpServer.values()).flatMap((server) -> on(server, paths));
	}

	private static Stream<Arguments> on(HttpServer server, List<String> paths) {
		return paths.stream().map((path) -> Arguments.of(server, path));
	}

}
