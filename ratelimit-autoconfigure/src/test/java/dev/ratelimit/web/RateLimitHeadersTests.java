package dev.ratelimit.web;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitDecision;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link RateLimitHeaders}.
 */
class RateLimitHeadersTests {

	private static final RateLimit EXPORT = RateLimit.of(1, Duration.ofMinutes(1), 5);

	private static final RateLimit ORDERS = RateLimit.of(10, Duration.ofSeconds(1), 20);

	private final RateLimitHeaders headers = new RateLimitHeaders(RateLimitHeadersStyle.STANDARD);

	@Test
	void aRefusalReadsAsTheContractShows() {
		assertThat(this.headers.of(List.of(refused("export", EXPORT, 0, Duration.ofMillis(44_001))))).containsExactly(
				entry("RateLimit-Policy", "\"export\";q=5;w=300"), entry("RateLimit", "\"export\";r=0;t=45"));
	}

	@Test
	void anAcceptedRequestIsToldWhatRemains() {
		assertThat(this.headers.of(List.of(accepted("export", EXPORT, 3)))).containsExactly(
				entry("RateLimit-Policy", "\"export\";q=5;w=300"), entry("RateLimit", "\"export\";r=3;t=180"));
	}

	@ParameterizedTest
	@CsvSource({ "10, PT1S, 20, 20, 2, 2", "10, PT1S, 20, 19, 2, 2", "10, PT1S, 20, 10, 2, 1", "10, PT1S, 20, 0, 2, 1",
			"3, PT1S, 1, 1, 1, 1", "3, PT1S, 4, 4, 2, 2", "0.1, PT1S, 1, 1, 10, 10", "0.3, PT1S, 3, 3, 10, 10",
			"1, P365D, 1, 1, 31536000, 31536000", "4000000000, PT1S, 1, 1, 1, 1" })
	void secondsAreRoundedUpAndNeverZero(double rate, Duration per, long capacity, long available, long window,
			long reset) {
		RateLimit limit = RateLimit.of(rate, per, capacity);
		assertThat(this.headers.of(List.of(accepted("a", limit, available)))).containsExactly(
				entry("RateLimit-Policy", "\"a\";q=" + capacity + ";w=" + window),
				entry("RateLimit", "\"a\";r=" + available + ";t=" + reset));
	}

	@Test
	void integersHaveAtMostFifteenDigits() {
		RateLimit limit = RateLimit.of(1, Duration.ofDays(36_500), RateLimit.MAX_CAPACITY);
		assertThat(this.headers.of(List.of(accepted("a", limit, RateLimit.MAX_CAPACITY)))).containsExactly(
				entry("RateLimit-Policy", "\"a\";q=999999999999999;w=999999999999999"),
				entry("RateLimit", "\"a\";r=999999999999999;t=999999999999999"));
	}

	@Test
	void waitingCallsAreNotANegativeRemainder() {
		assertThat(this.headers.of(List.of(accepted("a", EXPORT, -3)))).containsEntry("RateLimit", "\"a\";r=0;t=1");
	}

	@Test
	void whatCanNeverPassIsNotToldWhen() {
		assertThat(this.headers.of(List.of(refused("export", EXPORT, 5, null)))).containsEntry("RateLimit",
				"\"export\";r=5");
		assertThat(new RateLimitHeaders(RateLimitHeadersStyle.LEGACY).of(List.of(refused("export", EXPORT, 5, null))))
			.containsExactly(entry("X-RateLimit-Limit", "5"), entry("X-RateLimit-Remaining", "5"));
	}

	@Test
	void severalLimitsAreListedAndTheNearestToExhaustionStandsForThem() {
		Map<String, String> fields = this.headers
			.of(List.of(accepted("orders", ORDERS, 19), accepted("export", EXPORT, 2), accepted("daily", ORDERS, 7)));
		assertThat(fields).containsExactly(
				entry("RateLimit-Policy", "\"orders\";q=20;w=2, \"export\";q=5;w=300, \"daily\";q=20;w=2"),
				entry("RateLimit", "\"export\";r=2;t=120"));
	}

	@Test
	void ofTwoLimitsWithTheSameRemainderTheSlowerStandsForBoth() {
		assertThat(this.headers.of(List.of(accepted("orders", ORDERS, 2), accepted("export", EXPORT, 2))))
			.containsEntry("RateLimit", "\"export\";r=2;t=120");
	}

	@Test
	void aRefusalStandsForAllLimits() {
		RateLimitDecision refusal = refused("orders", ORDERS, 3, Duration.ofSeconds(2));
		assertThat(this.headers.of(List.of(refusal, accepted("export", EXPORT, 0)))).containsEntry("RateLimit",
				"\"orders\";r=3;t=2");
	}

	@Test
	void ofSeveralRefusalsTheLastStandsForAll() {
		assertThat(this.headers.of(List.of(refused("export", EXPORT, 0, Duration.ofSeconds(60)),
				refused("orders", ORDERS, 3, Duration.ofSeconds(2)))))
			.containsEntry("RateLimit", "\"orders\";r=3;t=2");
	}

	@Test
	void theLegacyStyleSpeaksOfOneLimit() {
		RateLimitHeaders legacy = new RateLimitHeaders(RateLimitHeadersStyle.LEGACY);
		assertThat(legacy.of(List.of(accepted("orders", ORDERS, 19), accepted("export", EXPORT, 2)))).containsExactly(
				entry("X-RateLimit-Limit", "5"), entry("X-RateLimit-Remaining", "2"),
				entry("X-RateLimit-Reset", "120"));
		assertThat(legacy.of(List.of(refused("export", EXPORT, 0, Duration.ofMillis(44_001)))))
			.containsEntry("X-RateLimit-Reset", "45");
	}

	@Test
	void theStyleNoneWritesNothing() {
		assertThat(new RateLimitHeaders(RateLimitHeadersStyle.NONE).of(List.of(accepted("orders", ORDERS, 19))))
			.isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void noDecisionIsNotSpokenOf(RateLimitHeadersStyle style) {
		assertThat(new RateLimitHeaders(style).of(List.of())).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void namesAllThatItWrites(RateLimitHeadersStyle style) {
		RateLimitHeaders styled = new RateLimitHeaders(style);
		assertThat(styled.names())
			.containsExactlyInAnyOrderElementsOf(styled.of(List.of(accepted("orders", ORDERS, 19))).keySet());
	}

	@ParameterizedTest
	@ValueSource(strings = { "export", "", " ", "a\"b", "a\\", "\\\"", "a;r=9, \"b\";r=9", "OrderService.place-2", "é",
			"\uD83D\uDE80", "\uD800", "a\r\nSet-Cookie: b=1", "\u0000", "\u007F" })
	void anyNameIsReadByAParserOfStructuredFields(String name) {
		Map<String, String> fields = this.headers
			.of(List.of(accepted(name, EXPORT, 3), refused("last", ORDERS, 3, Duration.ofSeconds(2))));
		List<ListElement<?>> policies = parse(fields.get("RateLimit-Policy"));
		assertThat(policies).hasSize(2);
		assertThat(policies.get(0).get()).isEqualTo(name.codePoints()
			.map((codePoint) -> (codePoint >= ' ' && codePoint <= '~') ? codePoint : '?')
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString());
		assertThat(parameter(policies.get(0), "q")).isEqualTo(5L);
		assertThat(parameter(policies.get(0), "w")).isEqualTo(300L);
		assertThat(policies.get(1).get()).isEqualTo("last");
		List<ListElement<?>> limits = parse(fields.get("RateLimit"));
		assertThat(limits).singleElement().satisfies((limit) -> {
			assertThat(parameter(limit, "r")).isEqualTo(3L);
			assertThat(parameter(limit, "t")).isEqualTo(2L);
		});
	}

	private static List<ListElement<?>> parse(String field) {
		return Parser.parseList(field).get();
	}

	private static Object parameter(ListElement<?> element, String name) {
		return ((Item<?>) element.getParams().get(name)).get();
	}

	private static RateLimitDecision accepted(String name, RateLimit limit, long available) {
		return new RateLimitDecision(name, limit, available, true, null);
	}

	private static RateLimitDecision refused(String name, RateLimit limit, long available, Duration retryAfter) {
		return new RateLimitDecision(name, limit, available, false, retryAfter);
	}

}
