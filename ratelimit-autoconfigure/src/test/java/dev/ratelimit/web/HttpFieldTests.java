package dev.ratelimit.web;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the values of {@code RateLimit}, {@code RateLimit-Policy} and their
 * predecessors, on either server over real sockets.
 */
class HttpFieldTests {

	private static final long LARGEST_INTEGER = 999_999_999_999_999L;

	private static final HttpApplications standard = applications();

	private static final HttpApplications legacy = applications().with("ratelimit.http.headers", "legacy");

	private static final HttpApplications none = applications().with("ratelimit.http.headers", "none");

	private static HttpApplications applications() {
		return HttpApplications.of(FieldController.class, LowerService.class);
	}

	@AfterAll
	static void stop() {
		standard.close();
		legacy.close();
		none.close();
	}

	@ParameterizedTest
	@EnumSource
	void wholeSecondsAreRoundedUp(HttpServer server) {
		HttpApplication application = standard.on(server);
		assertFields(application.get("/slow"), "\"slow\";q=1;w=3", "\"slow\";r=0;t=1");
		assertRefusal(application.get("/slow"), "\"slow\";q=1;w=3", "\"slow\";r=0;t=3", "3");
		application.time().advance(Duration.ofMillis(500));
		assertRefusal(application.get("/slow"), "\"slow\";q=1;w=3", "\"slow\";r=0;t=2", "2");
		application.time().advanceNanos(1);
		assertRefusal(application.get("/slow"), "\"slow\";q=1;w=3", "\"slow\";r=0;t=2", "2");
		application.time().advance(Duration.ofNanos(1_999_999_998));
		assertRefusal(application.get("/slow"), "\"slow\";q=1;w=3", "\"slow\";r=0;t=1", "1");
		application.time().advanceNanos(1);
		assertFields(application.get("/slow"), "\"slow\";q=1;w=3", "\"slow\";r=0;t=1");
	}

	@ParameterizedTest
	@EnumSource
	void noNumberOfSecondsIsZero(HttpServer server) {
		HttpApplication application = standard.on(server);
		for (int left = 2; left >= 0; left--) {
			assertFields(application.get("/fast"), "\"fast\";q=3;w=1", "\"fast\";r=" + left + ";t=1");
		}
		assertRefusal(application.get("/fast"), "\"fast\";q=3;w=1", "\"fast\";r=0;t=1", "1");
	}

	@ParameterizedTest
	@EnumSource
	void partsOfATokenDoNotCount(HttpServer server) {
		HttpApplication application = standard.on(server);
		application.get("/slow-five");
		application.time().advance(Duration.ofMillis(1_999));
		assertFields(application.get("/slow-five"), "\"slow-five\";q=5;w=10", "\"slow-five\";r=3;t=6");
	}

	@ParameterizedTest
	@MethodSource("numbers")
	void numbersHaveFifteenDigitsAtMost(HttpServer server, String path) {
		HttpResponse<String> response = standard.on(server).get(path);
		Map<String, Long> policy = only(QuotaFields.parse(response.headers().allValues("RateLimit-Policy")));
		assertThat(policy).containsOnlyKeys("q", "w").containsEntry("q", LARGEST_INTEGER);
		assertThat(policy.get("w")).isBetween(1L, LARGEST_INTEGER);
		Map<String, Long> limit = only(QuotaFields.parse(response.headers().allValues("RateLimit")));
		assertThat(limit).containsOnlyKeys("r", "t").containsEntry("r", LARGEST_INTEGER);
		assertThat(limit.get("t")).isBetween(1L, LARGEST_INTEGER);
	}

	@ParameterizedTest
	@EnumSource
	void aWindowOfYearsIsToldInSeconds(HttpServer server) {
		HttpApplication application = standard.on(server);
		assertFields(application.get("/yearly"), "\"yearly\";q=1;w=31536000", "\"yearly\";r=0;t=1");
		assertRefusal(application.get("/yearly"), "\"yearly\";q=1;w=31536000", "\"yearly\";r=0;t=31536000", "31536000");
	}

	@ParameterizedTest
	@MethodSource("asciiNames")
	void anAsciiNameIsReadAsItIsWritten(HttpServer server, String path, String name) {
		HttpApplication application = standard.on(server);
		for (int status : new int[] { 200, 429 }) {
			HttpResponse<String> response = application.get(path);
			assertThat(response.statusCode()).isEqualTo(status);
			assertThat(QuotaFields.parse(response.headers().allValues("RateLimit-Policy"))).containsOnlyKeys(name);
			assertThat(QuotaFields.parse(response.headers().allValues("RateLimit"))).containsOnlyKeys(name);
		}
		assertThat(violatedPolicies(application.get(path))).isEqualTo(List.of(name));
	}

	@ParameterizedTest
	@EnumSource
	void whatIsNotAsciiInANameIsReplaced(HttpServer server) {
		HttpApplication application = standard.on(server);
		for (int status : new int[] { 200, 429 }) {
			RawResponse response = application.raw("GET", "/not-ascii");
			assertThat(response.status()).isEqualTo(status);
			for (String field : List.of("RateLimit-Policy", "RateLimit")) {
				assertThat(response.values(field)).singleElement()
					.satisfies((value) -> assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(value)).isTrue());
				assertThat(QuotaFields.parse(response.values(field)).keySet()).singleElement()
					.asString()
					.matches("caf[ -~]{1,8} [ -~]{1,8}!");
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void everyPolicyIsListedAndTheLimitNearestToExhaustionIsTold(HttpServer server) {
		HttpApplication application = standard.on(server);
		HttpResponse<String> response = application.get("/several");
		assertThat(QuotaFields.parse(response.headers().allValues("RateLimit-Policy")))
			.isEqualTo(Map.of("burst", Map.of("q", 10L, "w", 1L), "minute", Map.of("q", 2L, "w", 60L)));
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"minute\";r=1;t=30");
	}

	@ParameterizedTest
	@EnumSource
	void theNearestToExhaustionMayBeTheFirst(HttpServer server) {
		HttpResponse<String> response = standard.on(server).get("/several-reversed");
		assertThat(QuotaFields.parse(response.headers().allValues("RateLimit-Policy"))).containsOnlyKeys("hour", "day");
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"hour\";r=1;t=1800");
	}

	@ParameterizedTest
	@EnumSource
	void theLimitOfSeveralThatRefusesIsTold(HttpServer server) {
		HttpApplication application = standard.on(server);
		application.get("/several");
		application.get("/several");
		HttpResponse<String> response = application.get("/several");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Retry-After")).containsExactly("30");
		assertThat(QuotaFields.parse(response.headers().allValues("RateLimit-Policy"))).containsEntry("minute",
				Map.of("q", 2L, "w", 60L));
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"minute\";r=0;t=30");
		assertThat(violatedPolicies(response)).isEqualTo(List.of("minute"));
		assertThat(application.bucket("burst").availableTokens()).isEqualTo(8);
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalBySeveralTellsTheLongestWait(HttpServer server) {
		HttpApplication application = standard.on(server);
		application.get("/both");
		HttpResponse<String> response = application.get("/both");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Retry-After")).containsExactly("60");
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"both-minute\";r=0;t=60");
		assertThat(violatedPolicies(response)).asInstanceOf(InstanceOfAssertFactories.LIST).contains("both-minute");
	}

	@ParameterizedTest
	@EnumSource
	void limitsOfTheControllerAndBelowItAreTold(HttpServer server) {
		HttpApplication application = standard.on(server);
		HttpResponse<String> accepted = application.get("/layers");
		assertThat(QuotaFields.parse(accepted.headers().allValues("RateLimit-Policy")))
			.isEqualTo(Map.of("outer", Map.of("q", 10L, "w", 1L), "inner", Map.of("q", 2L, "w", 60L)));
		assertThat(accepted.headers().allValues("RateLimit")).containsExactly("\"inner\";r=1;t=30");
		application.get("/layers");
		HttpResponse<String> refused = application.get("/layers");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers().allValues("RateLimit")).containsExactly("\"inner\";r=0;t=30");
		assertThat(QuotaFields.parse(refused.headers().allValues("RateLimit-Policy"))).containsKey("inner");
	}

	@ParameterizedTest
	@EnumSource
	void aLimitThatCanNeverLetPassIsToldAmongSeveral(HttpServer server) {
		HttpResponse<String> response = standard.on(server).get("/several-costly?n=6");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().map()).doesNotContainKey("retry-after");
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"small\";r=5");
		assertThat(standard.on(server).bucket("large").availableTokens()).isEqualTo(10);
	}

	@ParameterizedTest
	@EnumSource
	void olderFieldsReplaceTheStandardOnes(HttpServer server) {
		HttpApplication application = legacy.on(server);
		HttpResponse<String> accepted = application.get("/slow-five");
		assertLegacy(accepted, "5", "4", "8");
		assertThat(accepted.statusCode()).isEqualTo(200);
		assertThat(accepted.headers().map()).doesNotContainKey("retry-after");
		for (int call = 0; call < 4; call++) {
			application.get("/slow-five");
		}
		HttpResponse<String> refused = application.get("/slow-five");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertLegacy(refused, "5", "0", "2");
		assertThat(refused.headers().allValues("Retry-After")).containsExactly("2");
		assertThat(refused.headers().allValues("Cache-Control")).containsExactly("no-store");
		assertThat(violatedPolicies(refused)).isEqualTo(List.of("slow-five"));
	}

	@ParameterizedTest
	@EnumSource
	void olderFieldsTellTheNearestToExhaustion(HttpServer server) {
		assertLegacy(legacy.on(server).get("/several"), "2", "1", "30");
	}

	@ParameterizedTest
	@EnumSource
	void olderFieldsDoNotPromiseAResetThatDoesNotHelp(HttpServer server) {
		HttpResponse<String> response = legacy.on(server).get("/several-costly?n=6");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("X-RateLimit-Limit")).containsExactly("5");
		assertThat(response.headers().allValues("X-RateLimit-Remaining")).containsExactly("5");
		assertThat(response.headers().map()).doesNotContainKeys("x-ratelimit-reset", "retry-after");
	}

	@ParameterizedTest
	@EnumSource
	void noFieldsAreWrittenWhereNoneAreWanted(HttpServer server) {
		HttpApplication application = none.on(server);
		assertNoFields(application.get("/fast"));
		application.get("/slow");
		HttpResponse<String> refused = application.get("/slow");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertNoFields(refused);
		assertThat(refused.headers().allValues("Retry-After")).containsExactly("3");
		assertThat(refused.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(violatedPolicies(refused)).isEqualTo(List.of("slow"));
	}

	private static void assertFields(HttpResponse<String> response, String policy, String limit) {
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly(policy);
		assertThat(response.headers().allValues("RateLimit")).containsExactly(limit);
	}

	private static void assertRefusal(HttpResponse<String> response, String policy, String limit, String retryAfter) {
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly(policy);
		assertThat(response.headers().allValues("RateLimit")).containsExactly(limit);
		assertThat(response.headers().allValues("Retry-After")).containsExactly(retryAfter);
	}

	private static void assertLegacy(HttpResponse<String> response, String limit, String remaining, String reset) {
		assertThat(response.headers().allValues("X-RateLimit-Limit")).containsExactly(limit);
		assertThat(response.headers().allValues("X-RateLimit-Remaining")).containsExactly(remaining);
		assertThat(response.headers().allValues("X-RateLimit-Reset")).containsExactly(reset);
		assertThat(response.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
	}

	private static void assertNoFields(HttpResponse<String> response) {
		assertThat(response.headers().map().keySet()).noneMatch((name) -> name.contains("ratelimit"));
	}

	private static Object violatedPolicies(HttpResponse<String> response) {
		return JsonParserFactory.getJsonParser().parseMap(response.body()).get("violated-policies");
	}

	private static Map<String, Long> only(Map<String, Map<String, Long>> members) {
		assertThat(members).hasSize(1);
		return members.values().iterator().next();
	}

	private static Stream<Arguments> numbers() {
		return Stream.of(HttpServer.values())
			.flatMap((server) -> Stream.of("/large", "/large-yearly").map((path) -> Arguments.of(server, path)));
	}

	private static Stream<Arguments> asciiNames() {
		return Stream.of(HttpServer.values())
			.flatMap((server) -> Stream.of(Arguments.of(server, "/quotes", "say \"five\""),
					Arguments.of(server, "/backslash", "c:\\new\\"),
					Arguments.of(server, "/separators", "a;q=9, \"b\";w=1"),
					Arguments.of(server, "/punctuation", "!#$%&'()*+-./:<=>?@[]^_`{|}~")));
	}

	static class LowerService {

		@RateLimited(name = "inner", rate = 2, per = "1m")
		Mono<String> call() {
			return Mono.just("inner");
		}

	}

	@RestController
	static class FieldController {

		private final LowerService service;

		FieldController(LowerService service) {
			this.service = service;
		}

		@GetMapping("/slow")
		@RateLimited(name = "slow", rate = 0.4)
		Mono<String> slow() {
			return Mono.just("slow");
		}

		@GetMapping("/slow-five")
		@RateLimited(name = "slow-five", rate = 0.5, capacity = 5)
		Mono<String> slowFive() {
			return Mono.just("slow-five");
		}

		@GetMapping("/fast")
		@RateLimited(name = "fast", rate = 3)
		Mono<String> fast() {
			return Mono.just("fast");
		}

		@GetMapping("/yearly")
		@RateLimited(name = "yearly", rate = 1, per = "365d")
		Mono<String> yearly() {
			return Mono.just("yearly");
		}

		@GetMapping("/large")
		@RateLimited(name = "large-number", rate = 1e9, capacity = 1L << 53)
		Mono<String> large() {
			return Mono.just("large");
		}

		@GetMapping("/large-yearly")
		@RateLimited(name = "large-yearly", rate = 1, per = "365d", capacity = 1L << 53)
		Mono<String> largeYearly() {
			return Mono.just("large-yearly");
		}

		@GetMapping("/quotes")
		@RateLimited(name = "say \"five\"", rate = 1)
		Mono<String> quotes() {
			return Mono.just("quotes");
		}

		@GetMapping("/backslash")
		@RateLimited(name = "c:\\new\\", rate = 1)
		Mono<String> backslash() {
			return Mono.just("backslash");
		}

		@GetMapping("/separators")
		@RateLimited(name = "a;q=9, \"b\";w=1", rate = 1)
		Mono<String> separators() {
			return Mono.just("separators");
		}

		@GetMapping("/punctuation")
		@RateLimited(name = "!#$%&'()*+-./:<=>?@[]^_`{|}~", rate = 1)
		Mono<String> punctuation() {
			return Mono.just("punctuation");
		}

		@GetMapping("/not-ascii")
		@RateLimited(name = "caf\u00e9 \ud83c\udfab!", rate = 1)
		Mono<String> notAscii() {
			return Mono.just("not-ascii");
		}

		@GetMapping("/several")
		@RateLimited(name = "burst", rate = 10)
		@RateLimited(name = "minute", rate = 2, per = "1m")
		Mono<String> several() {
			return Mono.just("several");
		}

		@GetMapping("/several-reversed")
		@RateLimited(name = "hour", rate = 2, per = "1h")
		@RateLimited(name = "day", rate = 100, per = "1d")
		Mono<String> severalReversed() {
			return Mono.just("several-reversed");
		}

		@GetMapping("/both")
		@RateLimited(name = "both-minute", rate = 1, per = "1m")
		@RateLimited(name = "both-second", rate = 1)
		Mono<String> both() {
			return Mono.just("both");
		}

		@GetMapping("/several-costly")
		@RateLimited(name = "large", rate = 10, tokens = "#n")
		@RateLimited(name = "small", rate = 5, tokens = "#n")
		Mono<String> severalCostly(@RequestParam long n) {
			return Mono.just("several-costly");
		}

		@GetMapping("/layers")
		@RateLimited(name = "outer", rate = 10)
		Mono<String> layers() {
			return this.service.call();
		}

	}

}
