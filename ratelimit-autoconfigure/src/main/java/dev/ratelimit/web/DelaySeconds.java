package dev.ratelimit.web;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

import dev.ratelimit.core.RateLimit;

/**
 * Turns durations into the whole seconds of HTTP fields: rounded up, never zero, and of
 * no more digits than a structured field holds (RFC 9651).
 */
final class DelaySeconds {

	/**
	 * Largest integer of a structured field.
	 */
	static final long MAX = 999_999_999_999_999L;

	private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000L);

	private DelaySeconds() {
	}

	static long of(Duration duration) {
		long seconds = duration.getSeconds();
		if (seconds >= MAX) {
			return MAX;
		}
		return Math.max(1, (duration.getNano() > 0) ? seconds + 1 : seconds);
	}

	/**
	 * Returns how long a limit takes to add tokens.
	 */
	static long toRefill(long tokens, RateLimit limit) {
		BigDecimal nanos = BigDecimal.valueOf(tokens).multiply(BigDecimal.valueOf(limit.per().toNanos()));
		BigDecimal scaledRate = BigDecimal.valueOf(limit.rate()).multiply(NANOS_PER_SECOND);
		return nanos.divide(scaledRate, 0, RoundingMode.CEILING)
			.max(BigDecimal.ONE)
			.min(BigDecimal.valueOf(MAX))
			.longValueExact();
	}

}
