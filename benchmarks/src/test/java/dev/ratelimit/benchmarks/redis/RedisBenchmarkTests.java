package dev.ratelimit.benchmarks.redis;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link RedisBenchmark} works. What it measures here says nothing.
 */
class RedisBenchmarkTests {

	@Test
	void runsForAllContenders() throws RunnerException {
		Assumptions.assumeTrue(BenchmarkServer.runs(), "skipped: there is no Redis that runs on this platform");
		assertThat(new Runner(new OptionsBuilder().include(RedisBenchmark.class.getName())
			.param("keys", "64")
			.forks(0)
			.warmupIterations(0)
			.measurementIterations(1)
			.measurementTime(TimeValue.milliseconds(1))
			.shouldFailOnError(true)
			.verbosity(VerboseMode.SILENT)
			.build()).run()).hasSize(4);
	}

}
