package dev.ratelimit.benchmarks.decision;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import com.google.common.util.concurrent.RateLimiter;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.TokenBucket;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One decision of a bucket that always accepts or always refuses.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class Decisions {

	/**
	 * What the buckets answer.
	 */
	@Param
	public Answer answer = Answer.ACCEPTED;

	private final AtomicLong floor = new AtomicLong();

	private TokenBucket ratelimit = TokenBucket.create(RateLimit.perSecond(1));

	private Bucket bucket4j = bucket4j(Answer.ACCEPTED).build();

	private Bucket bucket4jNanos = this.bucket4j;

	private io.github.resilience4j.ratelimiter.RateLimiter resilience4j = resilience4j(Answer.ACCEPTED);

	private RateLimiter guava = RateLimiter.create(1);

	private dev.failsafe.RateLimiter<Object> failsafe = failsafe(Answer.ACCEPTED);

	/**
	 * Makes the buckets, and empties those that are to refuse.
	 */
	@Setup
	public void createBuckets() {
		this.ratelimit = TokenBucket.create(RateLimit.of(this.answer.tokens, this.answer.per, this.answer.tokens));
		this.bucket4j = bucket4j(this.answer).build();
		this.bucket4jNanos = bucket4j(this.answer).withNanosecondPrecision().build();
		this.resilience4j = resilience4j(this.answer);
		this.guava = RateLimiter.create((double) this.answer.tokens / this.answer.per.toSeconds());
		this.failsafe = failsafe(this.answer);
		if (this.answer == Answer.REFUSED) {
			ratelimit();
			bucket4j();
			bucket4jNanos();
			resilience4j();
			guava();
			failsafe();
		}
		check(ratelimit(), bucket4j(), bucket4jNanos(), resilience4j(), guava(), failsafe());
	}

	/**
	 * The least that a thread-safe bucket can do: read the clock once, write once.
	 */
	@Benchmark
	public long floor() {
		long now = System.nanoTime();
		long last = this.floor.get();
		while (!this.floor.compareAndSet(last, now)) {
			last = this.floor.get();
		}
		return last;
	}

	@Benchmark
	public boolean ratelimit() {
		return this.ratelimit.tryAcquire();
	}

	@Benchmark
	public boolean bucket4j() {
		return this.bucket4j.tryConsume(1);
	}

	@Benchmark
	public boolean bucket4jNanos() {
		return this.bucket4jNanos.tryConsume(1);
	}

	@Benchmark
	public boolean resilience4j() {
		return this.resilience4j.acquirePermission();
	}

	@Benchmark
	public boolean guava() {
		return this.guava.tryAcquire();
	}

	@Benchmark
	public boolean failsafe() {
		return this.failsafe.tryAcquirePermit();
	}

	private void check(boolean... answers) {
		for (boolean accepted : answers) {
			if (accepted != (this.answer == Answer.ACCEPTED)) {
				throw new IllegalStateException("a bucket does not answer " + this.answer);
			}
		}
	}

	private static io.github.bucket4j.local.LocalBucketBuilder bucket4j(Answer answer) {
		return Bucket.builder()
			.addLimit((limit) -> limit.capacity(answer.tokens).refillGreedy(answer.tokens, answer.per));
	}

	private static io.github.resilience4j.ratelimiter.RateLimiter resilience4j(Answer answer) {
		return io.github.resilience4j.ratelimiter.RateLimiter.of("decisions",
				RateLimiterConfig.custom()
					.limitForPeriod(answer.tokens)
					.limitRefreshPeriod(answer.per)
					.timeoutDuration(Duration.ZERO)
					.build());
	}

	private static dev.failsafe.RateLimiter<Object> failsafe(Answer answer) {
		return dev.failsafe.RateLimiter.burstyBuilder(answer.tokens, answer.per).build();
	}

	/**
	 * What buckets answer, and the limit that makes them.
	 */
	public enum Answer {

		/**
		 * More tokens than anybody can take.
		 */
		ACCEPTED(1_000_000_000, Duration.ofSeconds(1)),

		/**
		 * One token, taken, and the next one far away.
		 */
		REFUSED(1, Duration.ofDays(365));

		private final int tokens;

		private final Duration per;

		Answer(int tokens, Duration per) {
			this.tokens = tokens;
			this.per = per;
		}

	}

}
