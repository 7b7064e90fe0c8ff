package dev.ratelimit.core;

import java.time.Duration;

/**
 * Waits as durations and as nanoseconds, saturated instead of overflowing.
 */
final class Waits {

	/**
	 * Longer than any wait that is ever granted.
	 */
	static final Duration UNBOUNDED = Duration.ofNanos(Long.MAX_VALUE);

	/**
	 * Longest wait that is granted, in nanoseconds: 146 years, half the range in which
	 * instants can be told apart.
	 */
	static final long LONGEST_NANOS = 1L << 62;

	private Waits() {
	}

	static long nanos(Duration wait) {
		if (wait.compareTo(UNBOUNDED) >= 0) {
			return Long.MAX_VALUE;
		}
		return wait.isNegative() ? 0 : wait.toNanos();
	}

}
