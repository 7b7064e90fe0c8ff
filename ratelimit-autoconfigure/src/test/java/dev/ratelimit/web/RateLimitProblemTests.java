package dev.ratelimit.web;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link RateLimitProblem}.
 */
class RateLimitProblemTests {

	@Test
	void hasTheHeadersOfAProblemThatMustNotBeCached() {
		assertThat(problem(List.of("a"), null).headers())
			.containsExactly(entry("Content-Type", "application/problem+json"), entry("Cache-Control", "no-store"));
	}

	@Test
	void saysWhenToRetryInWholeSeconds() {
		assertThat(problem(List.of("a"), Duration.ofMillis(44_001)).headers()).containsEntry("Retry-After", "45");
	}

	@Test
	void writesTheMembersInOrder() {
		assertThat(problem(List.of("export"), null).toJson("/reports/7")).isEqualTo(
				"{\"type\":\"urn:t\",\"title\":\"T\",\"status\":429,\"detail\":\"D\",\"instance\":\"/reports/7\",\"violated-policies\":[\"export\"]}");
	}

	@Test
	void listsEveryViolatedPolicy() {
		assertThat(problem(List.of("a\"", "b\\"), null).toJson("/"))
			.endsWith(",\"violated-policies\":[\"a\\\"\",\"b\\\\\"]}");
	}

	@Test
	void leavesOutPoliciesWhereNoneIsViolated() {
		assertThat(problem(List.of(), null).toJson("/")).endsWith(",\"instance\":\"/\"}");
	}

	@Test
	void escapesEveryText() {
		RateLimitProblem problem = new RateLimitProblem(429, "\"1", "\"2", "\"3", List.of("\"5"), null);
		assertThat(JsonParserFactory.getJsonParser().parseMap(problem.toJson("\"4"))).containsExactly(
				entry("type", "\"1"), entry("title", "\"2"), entry("status", 429), entry("detail", "\"3"),
				entry("instance", "\"4"), entry("violated-policies", List.of("\"5")));
	}

	private static RateLimitProblem problem(List<String> violatedPolicies, Duration retryAfter) {
		return new RateLimitProblem(429, "urn:t", "T", "D", violatedPolicies, retryAfter);
	}

}
