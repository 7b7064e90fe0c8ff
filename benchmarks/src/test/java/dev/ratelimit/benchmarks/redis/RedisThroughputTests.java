package dev.ratelimit.benchmarks.redis;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisThroughput}.
 */
class RedisThroughputTests {

	@Test
	void measuresAllContenders() throws Exception {
		Assumptions.assumeTrue(BenchmarkServer.runs(), "skipped: there is no Redis that runs on this platform");
		try (Contenders contenders = new Contenders()) {
			Map<String, Double> ratios = RedisThroughput.measure(contenders, RedisCallers.parse("2x64"), 1,
					Duration.ofMillis(50));
			assertThat(ratios).containsOnlyKeys(Contenders.TRIVIAL_SCRIPT, Contenders.COMMANDS, Contenders.RATELIMIT,
					Contenders.RATELIMIT_SCRIPT, Contenders.BUCKET4J, Contenders.REDISSON);
			assertThat(ratios.values()).allSatisfy((ratio) -> assertThat(ratio).isPositive());
		}
	}

}
