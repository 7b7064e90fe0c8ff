package dev.ratelimit.benchmarks.waiting;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Waiting}.
 */
class WaitingTests {

	@Test
	void measuresCallsThatWait() throws Exception {
		Waiting.Result result = Waiting.measure(false, 10, 100);
		assertThat(result.rate()).isBetween(1.0, 1000.0);
		assertThat(result.earliestMillis()).isNotNegative();
	}

}
