package dev.ratelimit.web;

import java.time.Duration;
import java.util.stream.IntStream;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitDecision;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RequestDecisions}.
 */
class RequestDecisionsTests {

	private static final RateLimit LIMIT = RateLimit.perSecond(10);

	private final RequestDecisions decisions = new RequestDecisions();

	@Test
	void keepsTheLatestDecisionOfEachLimitInTheOrderOfTheirFirst() {
		this.decisions.add(accepted("a", 9));
		this.decisions.add(accepted("b", 9));
		this.decisions.add(accepted("a", 8));
		assertThat(this.decisions.list()).containsExactly(accepted("a", 8), accepted("b", 9));
	}

	@Test
	void aRefusalComesLast() {
		this.decisions.add(accepted("a", 1));
		this.decisions.add(accepted("b", 9));
		this.decisions.add(refused("a", 5));
		assertThat(this.decisions.list()).containsExactly(accepted("b", 9), refused("a", 5));
	}

	@Test
	void theRefusalThatEndsTheRequestIsTheLastDecision() {
		this.decisions.add(refused("a", 5));
		this.decisions.add(refused("b", 60));
		this.decisions.endWith(new RateLimitExceededException("a", LIMIT, 1, 0, Duration.ofSeconds(7)));
		assertThat(this.decisions.list()).containsExactly(refused("b", 60), refused("a", 7));
	}

	@Test
	void afterAnyOtherFailureNothingIsClaimed() {
		this.decisions.add(accepted("a", 9));
		this.decisions.endWith(new RateLimitWaitInterruptedException("b", "the thread was interrupted"));
		assertThat(this.decisions.list()).isEmpty();
		this.decisions.add(accepted("a", 9));
		this.decisions.endWith(new RateLimitStoreUnavailableException("b", null));
		assertThat(this.decisions.list()).isEmpty();
	}

	@Test
	void losesNoDecisionOfParallelThreads() {
		IntStream.range(0, 1000).parallel().forEach((index) -> this.decisions.add(accepted("limit" + index, index)));
		assertThat(this.decisions.list()).hasSize(1000);
	}

	private static RateLimitDecision accepted(String name, long available) {
		return new RateLimitDecision(name, LIMIT, available, true, null);
	}

	private static RateLimitDecision refused(String name, long seconds) {
		return new RateLimitDecision(name, LIMIT, 0, false, Duration.ofSeconds(seconds));
	}

}
