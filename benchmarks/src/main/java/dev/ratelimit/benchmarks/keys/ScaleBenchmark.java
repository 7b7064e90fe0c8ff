package dev.ratelimit.benchmarks.keys;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.core.RateLimiter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A decision against the number of keys, beside the least that finds a number by a key
 * and changes it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ScaleBenchmark {

	/**
	 * How many keys are asked for in turn.
	 */
	@Param({ "10", "1000", "100000", "1000000" })
	public int keys;

	private final Map<String, AtomicLong> map = new ConcurrentHashMap<>();

	private UserIds users = new UserIds(1);

	private RateLimiter limiter = KeyedLimits.limiter(1);

	@Setup
	public void fill() {
		this.users = new UserIds(this.keys);
		this.limiter = KeyedLimits.limiter(2 * this.keys);
		for (String user : UserIds.of(this.keys)) {
			this.map.put(user, new AtomicLong());
			this.limiter.bucket(user).tryAcquire();
		}
	}

	@Benchmark
	public boolean concurrentHashMap() {
		AtomicLong state = this.map.get(this.users.next());
		return state != null && state.compareAndSet(state.get(), System.nanoTime());
	}

	@Benchmark
	public boolean ratelimit() {
		return this.limiter.bucket(this.users.next()).tryAcquire();
	}

}
