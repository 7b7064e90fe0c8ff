package dev.ratelimit.benchmarks.redis;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Accepted calls in Redis by 16 threads, for one key and for many.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Threads(16)
public class RedisBenchmark {

	/**
	 * Number of keys, at most 64.
	 */
	@Param({ "1", "64" })
	public int keys;

	/**
	 * Who decides.
	 */
	@Param({ Contenders.TRIVIAL_SCRIPT, Contenders.RATELIMIT, Contenders.BUCKET4J, Contenders.REDISSON })
	public String contender = "";

	private AutoCloseable contenders = () -> {
	};

	private IntPredicate decision = (key) -> false;

	@Setup
	public void open() {
		Contenders contenders = new Contenders();
		this.contenders = contenders;
		this.decision = contenders.decision(this.contender);
	}

	@Benchmark
	public boolean call() {
		return this.decision.test(ThreadLocalRandom.current().nextInt(this.keys));
	}

	@TearDown
	public void close() throws Exception {
		this.contenders.close();
	}

}
