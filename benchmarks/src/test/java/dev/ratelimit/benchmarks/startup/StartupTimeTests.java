package dev.ratelimit.benchmarks.startup;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StartupTime}.
 */
class StartupTimeTests {

	@Test
	void measuresTwoStarts() throws Exception {
		assertThat(StartupTime.measure(1)).isFinite();
	}

}
