package dev.ratelimit.web;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DelaySeconds}.
 */
class DelaySecondsTests {

	private static final long FIFTEEN_NINES = 999_999_999_999_999L;

	@ParameterizedTest
	@CsvSource({ "PT0S, 1", "PT-3S, 1", "PT0.000000001S, 1", "PT0.999999999S, 1", "PT1S, 1", "PT1.000000001S, 2",
			"PT2S, 2", "PT44.1S, 45", "PT45S, 45", "PT876000H, 3153600000" })
	void roundsUpToWholeSecondsAndNeverToZero(Duration duration, long seconds) {
		assertThat(DelaySeconds.of(duration)).isEqualTo(seconds);
	}

	@ParameterizedTest
	@CsvSource({ "999999999999998, 0, 999999999999998", "999999999999998, 1, 999999999999999",
			"999999999999999, 0, 999999999999999", "999999999999999, 1, 999999999999999" })
	void keepsToFifteenDigits(long seconds, long nanos, long expected) {
		assertThat(DelaySeconds.of(Duration.ofSeconds(seconds, nanos))).isEqualTo(expected);
	}

	@Test
	void survivesTheLongestDuration() {
		assertThat(DelaySeconds.of(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999))).isEqualTo(FIFTEEN_NINES);
	}

	@Test
	void survivesTheMostNegativeDuration() {
		assertThat(DelaySeconds.of(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(1);
	}

}
