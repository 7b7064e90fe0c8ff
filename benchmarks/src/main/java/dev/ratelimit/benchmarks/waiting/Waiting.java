package dev.ratelimit.benchmarks.waiting;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.benchmarks.threads.VirtualThreads;
import dev.ratelimit.core.LocalTokenBucketStore;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterSettings;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucket;

/**
 * Measures calls that wait for a limit of 1,000 a second: the rate at which they pass,
 * their order, and how late they wake up.
 * <p>
 * Arguments: {@code platform} or {@code virtual} (Java 21 and later), the number of
 * threads, and the number of calls that they make together.
 */
final class Waiting {

	private static final int RATE = 1000;

	private static final long NANOS_PER_TOKEN = Duration.ofSeconds(1).toNanos() / RATE;

	/**
	 * Tokens owed before the first call comes, so that all threads arrive before one of
	 * them passes, and no token is lost to a bucket that is full.
	 */
	private static final int OWED = 1000;

	/**
	 * Time in which the bucket becomes full again after the first call, which loads
	 * classes.
	 */
	private static final long WARM_UP_MILLIS = 100;

	private final RateLimiter limiter;

	private final int threads;

	private final long[] passedAt;

	private final int[] passedBy;

	private final AtomicInteger started = new AtomicInteger();

	private final AtomicInteger passed = new AtomicInteger();

	private Waiting(int threads, int calls) {
		this.threads = threads;
		this.passedAt = new long[calls];
		this.passedBy = new int[calls];
		TimeSource time = TimeSource.system();
		this.limiter = new RateLimiter(RateLimiterSettings.of("waiting", RateLimit.of(RATE, Duration.ofSeconds(1), 1)),
				new LocalTokenBucketStore(time), time, RateLimitListener.NO_OP);
	}

	public static void main(String[] arguments) throws InterruptedException {
		boolean virtual = arguments.length == 0 || arguments[0].equals("virtual");
		int threads = (arguments.length > 1) ? Integer.parseInt(arguments[1]) : 1000;
		int calls = (arguments.length > 2) ? Integer.parseInt(arguments[2]) : 10_000;
		System.out.println(measure(virtual, threads, calls));
	}

	static Result measure(boolean virtual, int threads, int calls) throws InterruptedException {
		ExecutorService executor = virtual ? VirtualThreads.executor() : Executors.newCachedThreadPool();
		try {
			return new Waiting(threads, calls).run(executor);
		}
		finally {
			executor.shutdownNow();
		}
	}

	private Result run(Executor executor) throws InterruptedException {
		TokenBucket bucket = this.limiter.bucket();
		bucket.acquire();
		Thread.sleep(WARM_UP_MILLIS);
		long start = System.nanoTime();
		bucket.acquire();
		for (int number = 0; number < OWED; number++) {
			bucket.reserve(1, Duration.ofDays(1));
		}
		for (int number = 0; number < this.threads; number++) {
			int thread = number;
			executor.execute(() -> call(bucket, thread));
			awaitArrival(number);
		}
		while (this.passed.get() < this.passedAt.length) {
			Thread.sleep(10);
		}
		return result(start + OWED * NANOS_PER_TOKEN);
	}

	/**
	 * Lets threads arrive one after the other, so that their order is known.
	 */
	private void awaitArrival(int number) {
		while (this.limiter.waiters() + this.passed.get() <= number) {
			Thread.onSpinWait();
		}
	}

	private void call(TokenBucket bucket, int thread) {
		try {
			while (this.started.getAndIncrement() < this.passedAt.length) {
				bucket.acquire();
				long now = System.nanoTime();
				int place = this.passed.getAndIncrement();
				this.passedAt[place] = now;
				this.passedBy[place] = thread;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private Result result(long start) {
		int firstRound = Math.min(this.threads, this.passedBy.length);
		int overtaken = 0;
		for (int place = 1; place < firstRound; place++) {
			if (this.passedBy[place] < this.passedBy[place - 1]) {
				overtaken++;
			}
		}
		Arrays.sort(this.passedAt);
		long[] late = new long[this.passedAt.length];
		for (int place = 0; place < late.length; place++) {
			late[place] = this.passedAt[place] - start - (place + 1) * NANOS_PER_TOKEN;
		}
		double seconds = (this.passedAt[late.length - 1] - start) / 1e9;
		Arrays.sort(late);
		return new Result(late.length / seconds, overtaken, late[0] / 1e6, late[late.length / 2] / 1e6,
				late[(int) (late.length * 0.99)] / 1e6);
	}

	/**
	 * What was measured. Lateness is that of the n-th call to pass against n tokens of
	 * the limit.
	 *
	 * @param rate calls that passed in a second
	 * @param overtaken calls that passed right before one that had come earlier
	 * @param earliestMillis least lateness; below zero: more than the limit passed
	 * @param medianMillis median lateness
	 * @param p99Millis lateness that 99 of 100 calls do not exceed
	 */
	record Result(double rate, int overtaken, double earliestMillis, double medianMillis, double p99Millis) {

		@Override
		public String toString() {
			return "%.1f calls/s (limit %d), %d overtaken, late by %.3f ms (median), %.3f ms (p99), %.3f ms (least)"
				.formatted(this.rate, RATE, this.overtaken, this.medianMillis, this.p99Millis, this.earliestMillis);
		}

	}

}
