package dev.ratelimit.core;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The exact arithmetic of one {@link RateLimit}: a clock that counts generated parts of
 * tokens instead of nanoseconds.
 * <p>
 * A token is split into 2<sup>shift</sup> parts, so that every cost and every fill level
 * is a whole number of parts and sums are exact. Parts are generated at the rate of the
 * limit, and {@link #generated(long)} is right to within a quarter of a part for 146
 * years, and exactly right at the instants at which a part is completed. Numbers of parts
 * are compared by their difference, as instants are.
 */
final class TokenClock {

	private static final BigInteger NANOS_SCALE = BigInteger.ONE.shiftLeft(Long.SIZE);

	/**
	 * Least number of parts generated in a nanosecond. It leaves room for the rounding of
	 * this number and of the time, which together are less than a nanosecond's worth.
	 */
	private static final BigInteger MIN_PARTS_PER_SCALED_NANO = NANOS_SCALE.shiftRight(2)
		.multiply(BigInteger.valueOf(5));

	private static final int MAX_BITS = 62;

	private final RateLimit limit;

	private final TimeSource timeSource;

	private final long origin;

	private final int shift;

	private final long burst;

	private final boolean coarse;

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
		BigInteger scaled = numerator.multiply(NANOS_SCALE);
		this.shift = shift(scaled, denominator, limit.capacity());
		this.burst = limit.capacity() << this.shift;
		BigInteger[] quotient = scaled.shiftLeft(this.shift).divideAndRemainder(denominator);
		this.coarse = quotient[0].compareTo(MIN_PARTS_PER_SCALED_NANO) < 0;
		this.partsPerScaledNano = this.coarse ? quotient[0] : quotient[0].add(BigInteger.valueOf(quotient[1].signum()));
		this.fraction = this.partsPerScaledNano.longValue();
		this.whole = this.partsPerScaledNano.subtract(BigInteger.valueOf(this.fraction))
			.shiftRight(Long.SIZE)
			.longValueExact();
		this.nanosPerPart = NANOS_SCALE.doubleValue() / this.partsPerScaledNano.doubleValue() * (1 + 1e-9);
	}

	private static int shift(BigInteger scaled, BigInteger denominator, long capacity) {
		BigInteger least = denominator.multiply(MIN_PARTS_PER_SCALED_NANO);
		int room = MAX_BITS - (Long.SIZE - Long.numberOfLeadingZeros(capacity - 1));
		int shift = 0;
		while (shift < room && scaled.shiftLeft(shift).compareTo(least) < 0) {
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
	 * Returns whether parts are longer than they ought to be, because the bucket takes
	 * more than a hundred years to fill and shorter ones could not be counted. Such a
	 * clock is exact only from an origin at which the bucket is full, and is late by up
	 * to a part.
	 */
	boolean isCoarse() {
		return this.coarse;
	}

	/**
	 * Returns the parts generated between the origin of this clock and the instant.
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
