package dev.ratelimit.core;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * A limit on the rate of calls: {@code rate} tokens are added every {@code per}, up to
 * {@code capacity}.
 * <p>
 * In any window of length {@code T} at most {@code capacity + rate * T / per} tokens are
 * granted, and a bucket that was left alone long enough grants {@code capacity} tokens at
 * one instant.
 *
 * @param rate tokens added in each period; finite and more than zero, possibly a
 * fraction. Read as the shortest decimal that prints the same ({@code 0.1} is one tenth).
 * At most {@value #MAX_TOKENS_PER_SECOND} tokens a second and at least one token in
 * {@value #MAX_DAYS} days
 * @param per the period; more than zero and at most {@value #MAX_DAYS} days
 * @param capacity most tokens the bucket holds and so the largest burst; from 1 to
 * 2<sup>53</sup>
 */
public record RateLimit(double rate, Duration per, long capacity) {

	/**
	 * Largest capacity, 2<sup>53</sup> tokens.
	 */
	public static final long MAX_CAPACITY = 1L << 53;

	/**
	 * Largest rate in tokens a second.
	 */
	public static final long MAX_TOKENS_PER_SECOND = 4_000_000_000L;

	/**
	 * Longest period, and longest time that one token may take, in days.
	 */
	public static final long MAX_DAYS = 36_500;

	private static final Duration LONGEST = Duration.ofDays(MAX_DAYS);

	private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000L);

	/**
	 * Creates a limit.
	 * @throws InvalidRateLimitException if a component is out of range
	 */
	public RateLimit {
		if (!(rate > 0) || Double.isInfinite(rate)) {
			throw new InvalidRateLimitException("rate", rate, "a finite number greater than zero");
		}
		if (per.isZero() || per.isNegative() || per.compareTo(LONGEST) > 0) {
			throw new InvalidRateLimitException("per", per, "longer than zero and at most %d days".formatted(MAX_DAYS));
		}
		if (capacity < 1 || capacity > MAX_CAPACITY) {
			throw new InvalidRateLimitException("capacity", capacity,
					"from 1 to %d (2 to the power of 53)".formatted(MAX_CAPACITY));
		}
		BigDecimal tokens = BigDecimal.valueOf(rate);
		BigDecimal nanos = BigDecimal.valueOf(per.toNanos());
		if (tokens.multiply(NANOS_PER_SECOND)
			.compareTo(nanos.multiply(BigDecimal.valueOf(MAX_TOKENS_PER_SECOND))) > 0) {
			throw new InvalidRateLimitException("rate", rate + " per " + per,
					"at most %d tokens a second; count in larger units (kilobytes instead of bytes)"
						.formatted(MAX_TOKENS_PER_SECOND));
		}
		if (tokens.multiply(BigDecimal.valueOf(LONGEST.toNanos())).compareTo(nanos) < 0) {
			throw new InvalidRateLimitException("rate", rate + " per " + per,
					"at least one token in %d days".formatted(MAX_DAYS));
		}
	}

	/**
	 * Creates a limit of {@code rate} tokens per period with a burst of {@code capacity}.
	 * @param rate tokens added in each period
	 * @param per the period
	 * @param capacity most tokens the bucket holds
	 * @return the limit
	 * @throws InvalidRateLimitException if a component is out of range
	 */
	public static RateLimit of(double rate, Duration per, long capacity) {
		return new RateLimit(rate, per, capacity);
	}

	/**
	 * Creates a limit of {@code rate} tokens a second, with the
	 * {@linkplain #defaultCapacity(double) default capacity}.
	 * @param rate tokens added every second
	 * @return the limit
	 * @throws InvalidRateLimitException if the rate is out of range
	 */
	public static RateLimit perSecond(double rate) {
		return new RateLimit(rate, Duration.ofSeconds(1), defaultCapacity(rate));
	}

	/**
	 * Returns the capacity of a limit that names none: what one period adds, rounded up.
	 * @param rate tokens added in each period
	 * @return {@code max(1, ceil(rate))}
	 */
	public static long defaultCapacity(double rate) {
		return (long) Math.max(1, Math.min(Math.ceil(rate), MAX_CAPACITY));
	}

	/**
	 * Returns the limit as text, for example {@code 10 per 1s, capacity 20}.
	 */
	@Override
	public String toString() {
		return "%s per %s, capacity %d".formatted(BigDecimal.valueOf(this.rate).stripTrailingZeros().toPlainString(),
				this.per.toString().substring(2).toLowerCase(java.util.Locale.ROOT), this.capacity);
	}

}
