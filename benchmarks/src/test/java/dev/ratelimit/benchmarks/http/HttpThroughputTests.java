package dev.ratelimit.benchmarks.http;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HttpThroughput}.
 */
class HttpThroughputTests {

	@Test
	void measuresAPair() throws Exception {
		assertThat(HttpThroughput.measure(1, Duration.ofMillis(100))).isPositive();
	}

}
