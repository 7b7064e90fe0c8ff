package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what exceptions tell those who catch or log them.
 */
class RateLimitExceptionTests {

	private static final RateLimit LIMIT = RateLimit.perSecond(10);

	@Test
	void aRefusalSaysWhichLimitRefusedAndWhenToComeBack() {
		assertThat(new RateLimitExceededException("orders", LIMIT, 3, 1, Duration.ofMillis(200))).hasMessage(
				"Rate limit 'orders' (10 per 1s, capacity 10) refused a call of 3 token(s): retry after PT0.2S");
	}

	@Test
	void aRefusalForEverSaysSo() {
		assertThat(new RateLimitExceededException("orders", LIMIT, 11, 10, null)).hasMessage(
				"Rate limit 'orders' (10 per 1s, capacity 10) refused a call of 11 token(s): it can never pass");
	}

	@Test
	void aRefusalIsCheap() {
		assertThat(new RateLimitExceededException("orders", LIMIT, 3, 1, null).getStackTrace()).isEmpty();
	}

	@Test
	void aStoreThatDoesNotAnswerIsNamedByItsLimitWithTheCause() {
		Exception cause = new IllegalStateException("connection refused");
		RateLimitStoreUnavailableException exception = new RateLimitStoreUnavailableException("orders", cause);
		assertThat(exception).hasMessage("The store of rate limit 'orders' does not answer").hasCause(cause);
		assertThat(exception.getBucketName()).isEqualTo("orders");
	}

	@Test
	void aFaultyConfigurationNamesAllItsFaults() {
		List<Fault> faults = List.of(new Fault("one", "mend one"), new Fault("two", "mend two"));
		RateLimitConfigurationException exception = new RateLimitConfigurationException(faults);
		assertThat(exception.getMessage().lines()).containsExactly("one", "two");
		assertThat(exception.getFaults()).isEqualTo(faults);
	}

}
