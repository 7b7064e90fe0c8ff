package dev.ratelimit.benchmarks.call;

import java.util.concurrent.TimeUnit;

import dev.ratelimit.core.RateLimitExceededException;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
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
import org.springframework.util.Assert;

/**
 * A call of a method, without advice, with advice that does nothing, and limited.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AnnotatedCallBenchmark {

	/**
	 * Whether limits count what they decide.
	 */
	@Param({ "true", "false" })
	public boolean metrics;

	private final CalledService target = new CalledService();

	private CalledService service = this.target;

	private @Nullable ConfigurableApplicationContext context;

	private String userId = "user-4711";

	private int cost = 2;

	/**
	 * Starts the application, and takes the tokens of the limits that are to refuse.
	 */
	@Setup
	public void start() {
		this.context = CalledApplication.start(this.metrics);
		this.service = this.context.getBean(CalledService.class);
		this.service.refused(this.userId);
		this.service.withFallback(this.userId);
		this.service.resilience4jRefused(this.userId);
		Assert.state(refused() != null && resilience4jRefused() != null && withFallback() < 0,
				"calls that are to be refused pass");
	}

	@TearDown
	public void stop() {
		if (this.context != null) {
			this.context.close();
		}
	}

	@Benchmark
	public int plain() {
		return this.target.plain(this.userId);
	}

	@Benchmark
	public int noOpAdvice() {
		return this.service.advised(this.userId);
	}

	@Benchmark
	public int unkeyed() {
		return this.service.unkeyed(this.userId);
	}

	@Benchmark
	public int withTokens() {
		return this.service.withTokens(this.userId, this.cost);
	}

	@Benchmark
	public int withCondition() {
		return this.service.withCondition(this.userId, this.cost);
	}

	@Benchmark
	public @Nullable Exception refused() {
		try {
			this.service.refused(this.userId);
			return null;
		}
		catch (RateLimitExceededException ex) {
			return ex;
		}
	}

	@Benchmark
	public int withFallback() {
		return this.service.withFallback(this.userId);
	}

	@Benchmark
	public int resilience4j() {
		return this.service.resilience4j(this.userId);
	}

	@Benchmark
	public @Nullable Exception resilience4jRefused() {
		try {
			this.service.resilience4jRefused(this.userId);
			return null;
		}
		catch (RequestNotPermitted ex) {
			return ex;
		}
	}

}
