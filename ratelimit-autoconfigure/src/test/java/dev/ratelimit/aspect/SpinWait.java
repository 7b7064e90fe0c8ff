package dev.ratelimit.aspect;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for what other threads are about to do.
 */
final class SpinWait {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private SpinWait() {
	}

	static void until(BooleanSupplier condition) {
		long start = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - start > LIMIT.toNanos()) {
				throw new AssertionError("nothing happened within " + LIMIT);
			}
			Thread.yield();
		}
	}

}
