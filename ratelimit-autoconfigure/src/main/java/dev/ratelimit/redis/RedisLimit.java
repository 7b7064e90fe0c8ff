package dev.ratelimit.redis;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.core.InvalidRateLimitException;
import dev.ratelimit.core.RateLimit;

/**
 * A limit in the numbers of the script, all of which a double holds exactly: a token is
 * split into a power of two of parts, and {@code factor / scale} parts are generated in a
 * microsecond, rounded up.
 *
 * @param limit the limit
 * @param unit parts in a token
 * @param factor numerator of the parts generated in a microsecond; below 2<sup>52</sup>
 * @param scale its denominator, a power of two from 2<sup>42</sup> to 2<sup>52</sup>
 */
record RedisLimit(RateLimit limit, long unit, long factor, long scale) {

	private static final long MAX_TOKENS_PER_SECOND = 1_000_000_000;

	private static final int MAX_YEARS = 100;

	private static final long FILL_MICROS = Duration.ofDays(365L * MAX_YEARS).toMillis() * 1000;

	/**
	 * Most parts in a bucket, unless they would be longer than 0.8 microseconds. It
	 * leaves room for what waiting calls owe.
	 */
	private static final long MAX_BURST = 1L << 50;

	private static final BigInteger MAX_PARTS_PER_MICRO = BigInteger.valueOf(16);

	private static final int FACTOR_BITS = 52;

	static RedisLimit of(RateLimit limit) {
		BigDecimal tokens = BigDecimal.valueOf(limit.rate());
		BigInteger numerator = tokens.unscaledValue()
			.multiply(BigInteger.TEN.pow(Math.max(0, -tokens.scale())))
			.multiply(BigInteger.valueOf(1000));
		BigInteger denominator = BigInteger.TEN.pow(Math.max(0, tokens.scale()))
			.multiply(BigInteger.valueOf(limit.per().toNanos()));
		check(limit, numerator, denominator);
		int shift = shift(numerator, denominator, limit.capacity());
		BigInteger generated = numerator.shiftLeft(shift);
		int bits = FACTOR_BITS;
		while (ceilingDivide(generated.shiftLeft(bits), denominator).bitLength() > FACTOR_BITS) {
			bits--;
		}
		return new RedisLimit(limit, 1L << shift,
				ceilingDivide(generated.shiftLeft(bits), denominator).longValueExact(), 1L << bits);
	}

	private static int shift(BigInteger numerator, BigInteger denominator, long capacity) {
		BigInteger least = denominator.multiply(BigInteger.valueOf(5)).shiftRight(2);
		BigInteger most = denominator.multiply(MAX_PARTS_PER_MICRO);
		int shift = 0;
		while (numerator.shiftLeft(shift).compareTo(least) < 0
				|| (capacity <= MAX_BURST >> (shift + 1) && numerator.shiftLeft(shift + 1).compareTo(most) <= 0)) {
			shift++;
		}
		return shift;
	}

	private static void check(RateLimit limit, BigInteger numerator, BigInteger denominator) {
		BigInteger most = denominator.multiply(BigInteger.valueOf(MAX_TOKENS_PER_SECOND / 1_000_000));
		if (numerator.compareTo(most) > 0) {
			throw new InvalidRateLimitException("rate", limit.rate() + " per " + limit.per(),
					"at most %d tokens a second in Redis".formatted(MAX_TOKENS_PER_SECOND));
		}
		BigInteger largest = numerator.multiply(BigInteger.valueOf(FILL_MICROS)).divide(denominator);
		if (largest.compareTo(BigInteger.valueOf(limit.capacity())) < 0) {
			throw new InvalidRateLimitException("capacity", limit.capacity(),
					"at most %d in Redis, which the rate fills in %d years".formatted(largest, MAX_YEARS));
		}
	}

	private static BigInteger ceilingDivide(BigInteger dividend, BigInteger divisor) {
		return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor);
	}

	/**
	 * Returns the numbers in the order in which the script wants them.
	 */
	List<String> arguments() {
		return List.of(Long.toString(this.unit), Long.toString(this.limit.capacity()), Long.toString(this.factor),
				Long.toString(this.scale));
	}

}
