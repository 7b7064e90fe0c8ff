package dev.ratelimit.benchmarks.redis;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;

import dev.ratelimit.benchmarks.threads.VirtualThreads;

/**
 * Callers that ask at once, each again and again, for random ones of some keys.
 *
 * @param virtual whether they are virtual threads
 * @param callers how many they are
 * @param keys number of keys
 */
record RedisCallers(boolean virtual, int callers, int keys) {

	/**
	 * Reads callers from a text such as {@code 16x64} or {@code v1000x1}: callers and
	 * keys, virtual ones with a {@code v}.
	 */
	static RedisCallers parse(String text) {
		boolean virtual = text.startsWith("v");
		String[] numbers = text.substring(virtual ? 1 : 0).split("x", 2);
		return new RedisCallers(virtual, Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
	}

	ExecutorService executor() {
		return this.virtual ? VirtualThreads.executor() : Executors.newFixedThreadPool(this.callers);
	}

	/**
	 * Lets the callers ask for a while.
	 * @return calls in a second
	 * @throws IllegalStateException if a call is refused
	 */
	double rate(ExecutorService executor, IntPredicate decision, Duration duration)
			throws InterruptedException, ExecutionException {
		long start = System.nanoTime();
		Callable<Long> task = () -> {
			long count = 0;
			while (System.nanoTime() - start < duration.toNanos()) {
				if (!decision.test(ThreadLocalRandom.current().nextInt(this.keys))) {
					throw new IllegalStateException("refused");
				}
				count++;
			}
			return count;
		};
		long sum = 0;
		for (Future<Long> count : executor.invokeAll(Collections.nCopies(this.callers, task))) {
			sum += count.get();
		}
		return sum * 1e9 / (System.nanoTime() - start);
	}

	@Override
	public String toString() {
		return "%s%dx%d".formatted(this.virtual ? "v" : "", this.callers, this.keys);
	}

}
