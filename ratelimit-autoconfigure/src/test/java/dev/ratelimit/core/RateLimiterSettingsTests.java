package dev.ratelimit.core;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.ratelimit.core.SettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of how long calls wait by {@link RateLimiterSettings}.
 */
class RateLimiterSettingsTests {

	private static final RateLimit LIMIT = RateLimit.perSecond(1);

	@ParameterizedTest
	@CsvSource({ "PT1S, PT2S, PT3S, PT1S", ", PT2S, PT3S, PT2S", ", , PT3S, PT3S", "PT0S, PT2S, PT3S, PT0S",
			", PT-1S, PT3S, PT0S" })
	void namesTheLongestWaitOfTheLimitElseOfTheCallElseOfAll(Duration own, Duration call, Duration all,
			Duration expected) {
		RateLimiterSettings settings = settings("orders", LIMIT).maxWait(own).defaultMaxWait(all).build();
		assertThat(settings.maxWaitNanos(RateLimitMode.WAIT, call)).isEqualTo(expected.toNanos());
	}

	@Test
	void knowsNoBoundWhereNobodyNamesOne() {
		assertThat(RateLimiterSettings.of("orders", LIMIT).maxWaitNanos(RateLimitMode.WAIT, null))
			.isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void knowsNoBoundWhereTheBoundIsLongerThanAClockCounts() {
		assertThat(RateLimiterSettings.of("orders", LIMIT)
			.maxWaitNanos(RateLimitMode.WAIT, Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void letsNoCallWaitThatIsToBeRejected() {
		assertThat(RateLimiterSettings.of("orders", LIMIT).maxWaitNanos(RateLimitMode.REJECT, Duration.ofSeconds(2)))
			.isZero();
	}

	@Test
	void putsItsOwnModeBeforeThatOfTheCall() {
		Duration second = Duration.ofSeconds(1);
		assertThat(
				settings("orders", LIMIT).mode(RateLimitMode.WAIT).build().maxWaitNanos(RateLimitMode.REJECT, second))
			.isEqualTo(second.toNanos());
		assertThat(
				settings("orders", LIMIT).mode(RateLimitMode.REJECT).build().maxWaitNanos(RateLimitMode.WAIT, second))
			.isZero();
	}

}
