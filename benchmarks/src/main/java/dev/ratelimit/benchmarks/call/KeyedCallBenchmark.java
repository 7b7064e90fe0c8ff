package dev.ratelimit.benchmarks.call;

import java.util.concurrent.TimeUnit;

import dev.ratelimit.benchmarks.keys.UserIds;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A call of a method limited for each user, beside one with advice that does nothing.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyedCallBenchmark {

	/**
	 * How many users call in turn.
	 */
	@Param({ "1024", "100000" })
	public int keys;

	/**
	 * Whether limits count what they decide.
	 */
	@Param({ "true", "false" })
	public boolean metrics;

	private UserIds users = new UserIds(1);

	private CalledService service = new CalledService();

	private @Nullable ConfigurableApplicationContext context;

	@Setup
	public void start() {
		this.users = new UserIds(this.keys);
		this.context = CalledApplication.start(this.metrics);
		this.service = this.context.getBean(CalledService.class);
	}

	@TearDown
	public void stop() {
		if (this.context != null) {
			this.context.close();
		}
	}

	@Benchmark
	public int noOpAdvice() {
		return this.service.advised(this.users.next());
	}

	@Benchmark
	public int keyed() {
		return this.service.keyed(this.users.next());
	}

}
