package dev.ratelimit.web;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StandardRateLimitProblemMapper}.
 */
class StandardRateLimitProblemMapperTests {

	private final RateLimitProblemMapper mapper = RateLimitProblemMapper.standard();

	@Test
	void answersARefusalAsAnExceededQuota() {
		Duration retryAfter = Duration.ofSeconds(45);
		assertThat(this.mapper.map(refusal(retryAfter))).isEqualTo(new RateLimitProblem(429,
				"https://iana.org/assignments/http-problem-types#quota-exceeded", "Quota Exceeded",
				"Too many requests; try again in 45 seconds.", List.of("ExportService.export"), retryAfter));
	}

	@ParameterizedTest
	@CsvSource({ "PT0.000000001S, Too many requests; try again in 1 second.",
			"PT1.000000001S, Too many requests; try again in 2 seconds." })
	void tellsPeopleTheSecondsOfTheHeader(Duration retryAfter, String detail) {
		assertThat(this.mapper.map(refusal(retryAfter)).detail()).isEqualTo(detail);
	}

	@Test
	void saysSoWhereARequestCanNeverPass() {
		RateLimitProblem problem = this.mapper.map(refusal(null));
		assertThat(problem.status()).isEqualTo(429);
		assertThat(problem.retryAfter()).isNull();
		assertThat(problem.detail())
			.isEqualTo("The request needs 50 tokens at once and its limit holds at most 5, so it can never pass.");
	}

	@Test
	void claimsNoQuotaForAnInterruptedWait() {
		RateLimitProblem problem = this.mapper
			.map(new RateLimitWaitInterruptedException("ExportService.export", "the context closed"));
		assertThat(problem.status()).isEqualTo(503);
		assertThat(problem.type()).isEqualTo("tag:ratelimit.dev,2026:wait-interrupted");
		assertThat(problem.violatedPolicies()).isEmpty();
		assertThat(problem.retryAfter()).isNull();
	}

	@Test
	void claimsNoQuotaForAStoreThatDoesNotAnswer() {
		RateLimitProblem problem = this.mapper
			.map(new RateLimitStoreUnavailableException("ExportService.export", new IllegalStateException("10.0.0.7")));
		assertThat(problem.status()).isEqualTo(503);
		assertThat(problem.type()).isEqualTo("tag:ratelimit.dev,2026:store-unavailable");
		assertThat(problem.violatedPolicies()).isEmpty();
		assertThat(problem.retryAfter()).isNull();
	}

	private static RateLimitExceededException refusal(Duration retryAfter) {
		return new RateLimitExceededException("ExportService.export", RateLimit.perSecond(5), 50, 0, retryAfter);
	}

}
