package dev.ratelimit.benchmarks.keys;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyMemory}.
 */
class KeyMemoryTests {

	@Test
	void measuresTheHeapOfABucket() throws Exception {
		assertThat(KeyMemory.measure(10_000)).isBetween(16.0, 1000.0);
	}

}
