package dev.ratelimit.benchmarks;

import java.util.Collection;

import dev.ratelimit.benchmarks.call.AnnotatedCallBenchmark;
import dev.ratelimit.benchmarks.call.KeyedCallBenchmark;
import dev.ratelimit.benchmarks.decision.ContendedDecisionBenchmark;
import dev.ratelimit.benchmarks.decision.DecisionBenchmark;
import dev.ratelimit.benchmarks.keys.ScaleBenchmark;
import dev.ratelimit.benchmarks.redis.RedisBenchmark;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that every benchmark works. What it measures here says nothing.
 */
class BenchmarksTests {

	@Test
	void everyJmhBenchmarkRuns() throws RunnerException {
		Collection<RunResult> results = new Runner(
				new OptionsBuilder().include(BenchmarksTests.class.getPackageName().replace(".", "\\."))
					.exclude(RedisBenchmark.class.getName())
					.param("keys", "10")
					.forks(0)
					.warmupIterations(0)
					.measurementIterations(1)
					.measurementTime(TimeValue.milliseconds(1))
					.shouldFailOnError(true)
					.verbosity(VerboseMode.SILENT)
					.build())
			.run();
		assertThat(results).extracting((result) -> result.getParams().getBenchmark())
			.contains(DecisionBenchmark.class.getName() + ".ratelimit",
					ContendedDecisionBenchmark.class.getName() + ".ratelimit",
					AnnotatedCallBenchmark.class.getName() + ".unkeyed", KeyedCallBenchmark.class.getName() + ".keyed",
					ScaleBenchmark.class.getName() + ".ratelimit");
	}

}
