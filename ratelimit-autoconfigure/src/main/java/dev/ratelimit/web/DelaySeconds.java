package dev.ratelimit.web;

import java.time.Duration;

/**
 * Turns durations into the whole seconds of HTTP fields: rounded up, never zero, and of
 * no more digits than a structured field holds (RFC 9651).
 */
final class DelaySeconds {

	private static final long MAX = 999_999_999_999_999L;

	private DelaySeconds() {
	}

	static long of(Duration duration) {
		long seconds = duration.getSeconds();
		if (seconds >= MAX) {
			return MAX;
		}
		return Math.max(1, (duration.getNano() > 0) ? seconds + 1 : seconds);
	}

}
