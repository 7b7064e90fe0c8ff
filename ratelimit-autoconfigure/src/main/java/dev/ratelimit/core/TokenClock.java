package dev.ratelimit.core;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The exact arithmetic of one {@link RateLimit}: a clock that counts generated parts of
 * tokens instead of nanoseconds.
 * <p>
 * A token is split into 2<sup>shift</sup> parts, so that every cost and every fill level
 * is a whole number of parts and sums are exact. The one rounding is that of
 * {@link #generated(long)}, which is always down and at most by two parts over the life
 * of the clock. Numbers of parts are compared by their difference, as instants are.
 */
final class TokenClock {

	private static final BigInteger NANOS_SCALE = BigInteger.ONE.shiftLeft(Long.SIZE);

	private static final int MAX_BITS = 62;

	private final RateLimit limit;

	private final TimeSource timeSource;

	private final long origin;

	private final int shift;

	private final long burst;

	private final long whole;

	private final long fraction;

	private final BigInteger partsPerScaledNano;

	private final double nanosPerPart;

	TokenClock(RateLimit limit, TimeSource timeSource) {
		this.limit = limit;
		this.timeSource = timeSource;
		this.origin = timeSource.nanos();
		BigDecimal tokens = BigDecimal.valueOf(limit.rate());
		BigInteger numerator = tokens.unscaledValue().multiply(BigInteger.TEN.pow(Math.max(0, -tokens.scale())));
		BigInteger denominator = BigInteger.TEN.pow(Math.max(0, tokens.scale()))
			.multiply(BigInteger.valueOf(limit.per().toNanos()));
		this.shift = shift(numerator, denominator, limit.capacity());
		this.burst = limit.capacity() << this.shift;
		this.partsPerScaledNano = numerator.shiftLeft(this.shift).multiply(NANOS_SCALE).divide(denominator);
		this.fraction = this.partsPerScaledNano.longValue();
		this.whole = this.partsPerScaledNano.subtract(BigInteger.valueOf(this.fraction))
			.shiftRight(Long.SIZE)
			.longValueExact();
		this.nanosPerPart = NANOS_SCALE.doubleValue() / this.partsPerScaledNano.doubleValue() * (1 + 1e-9);
	}

	private static int shift(BigInteger numerator, BigInteger denominator, long capacity) {
		int room = MAX_BITS - (Long.SIZE - Long.numberOfLeadingZeros(capacity - 1));
		int shift = 0;
		while (shift < room && numerator.shiftLeft(shift).compareTo(denominator) < 0) {
			shift++;
		}
		return shift;
	}

	RateLimit limit() {
		return this.limit;
	}

	TimeSource timeSource() {
		return this.timeSource;
	}

	/**
	 * Returns the most parts that a bucket holds.
	 */
	long burst() {
		return this.burst;
	}

	/**
	 * Returns whether a part is longer than a nanosecond, which is so where the bucket
	 * takes more than 2<sup>62</sup> nanoseconds (146 years) to fill.
	 */
	boolean isCoarse() {
		return this.partsPerScaledNano.compareTo(NANOS_SCALE) < 0;
	}

	/**
	 * Returns the parts generated between the origin of this clock and the instant,
	 * rounded down.
	 */
	long generated(long instant) {
		long elapsed = instant - this.origin;
		return this.whole * elapsed + Math.multiplyHigh(elapsed, this.fraction);
	}

	/**
	 * Returns how long after the instant the number of generated parts will have grown by
	 * {@code parts}: the least such number of nanoseconds.
	 */
	long nanosUntilGenerated(long instant, long parts) {
		if (parts <= 0) {
			return 0;
		}
		long elapsed = instant - this.origin;
		BigInteger target = BigInteger.valueOf(elapsed)
			.multiply(this.partsPerScaledNano)
			.shiftRight(Long.SIZE)
			.add(BigInteger.valueOf(parts))
			.shiftLeft(Long.SIZE);
		BigInteger[] quotient = target.divideAndRemainder(this.partsPerScaledNano);
		BigInteger nanos = quotient[0].subtract(BigInteger.valueOf(elapsed))
			.add(BigInteger.valueOf(quotient[1].signum()));
		return (nanos.bitLength() < Long.SIZE) ? nanos.longValue() : Long.MAX_VALUE;
	}

	/**
	 * Returns a time in which {@code parts} are surely generated: cheaper than
	 * {@link #nanosUntilGenerated(long, long)} and longer by less than a millionth and a
	 * microsecond.
	 */
	long nanosAtMost(long parts) {
		return (long) (parts * this.nanosPerPart) + 1000;
	}

	/**
	 * Returns the parts that {@code tokens} cost.
	 * @throws IllegalArgumentException if the bucket can never hold so many tokens, or if
	 * the number is not positive
	 */
	long cost(long tokens) {
		if (tokens < 1 || tokens > this.limit.capacity()) {
			throw new IllegalArgumentException((tokens < 1) ? "tokens must be one or more, but was " + tokens
					: "%d tokens can never be granted: the capacity is %d".formatted(tokens, this.limit.capacity()));
		}
		return tokens << this.shift;
	}

	/**
	 * Returns the parts in a number of tokens that need not fit the bucket.
	 */
	long parts(long tokens) {
		return tokens << this.shift;
	}

	/**
	 * Returns the whole tokens in a number of parts, rounded down.
	 */
	long tokens(long parts) {
		return parts >> this.shift;
	}

	/**
	 * Converts a shortage (negative: a surplus) of another clock's parts into this
	 * clock's, rounded up and saturated.
	 */
	long convert(long shortage, TokenClock from) {
		int bits = this.shift - from.shift;
		if (bits < 0) {
			return -(-shortage >> -bits);
		}
		long max = Long.MAX_VALUE >> 2 >> bits;
		return Math.max(-max, Math.min(max, shortage)) << bits;
	}

}
