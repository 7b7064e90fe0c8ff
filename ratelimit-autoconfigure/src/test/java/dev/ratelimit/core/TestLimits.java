package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Limits at the edges of what is allowed, and random ones in between.
 */
final class TestLimits {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration YEAR = Duration.ofDays(365);

	private static final List<Duration> PERIODS = List.of(Duration.ofNanos(1), Duration.ofNanos(7),
			Duration.ofNanos(1_000), Duration.ofMillis(1), Duration.ofMillis(500), SECOND, Duration.ofSeconds(7),
			Duration.ofMinutes(1), Duration.ofMinutes(15), Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(7),
			YEAR, Duration.ofDays(RateLimit.MAX_DAYS), Duration.ofNanos(86_400_000_000_001L));

	private static final List<RateLimit> EXTREMES = List.of(RateLimit.of(1, YEAR, 1), RateLimit.of(1, YEAR, 5),
			RateLimit.of(1, Duration.ofDays(RateLimit.MAX_DAYS), 3), RateLimit.of(0.1, SECOND, 1),
			RateLimit.of(0.1, SECOND, 7), RateLimit.of(7.77, SECOND, 8), RateLimit.of(0.3333333, SECOND, 3),
			RateLimit.of(1 / 3.0, SECOND, 1), RateLimit.of(5, Duration.ofMinutes(15), 5), RateLimit.of(3, SECOND, 3),
			RateLimit.of(10, SECOND, 10), RateLimit.of(1, Duration.ofNanos(86_400_000_000_001L), 17),
			RateLimit.of(1_000, SECOND, 1_000), RateLimit.of(999_983, SECOND, 100),
			RateLimit.of(700_000_000, SECOND, 1 << 20), RateLimit.of(999_999_999, SECOND, 10),
			RateLimit.of(1_000_000_000, SECOND, 10), RateLimit.of(1_000_000_001, SECOND, 10),
			RateLimit.of(2_500_000_000.0, SECOND, 1), RateLimit.of(3_999_999_999.7, SECOND, 1_000),
			RateLimit.of(4_000_000_000.0, SECOND, 1), RateLimit.of(4_000_000_000.0, SECOND, 4_000_000_000L),
			RateLimit.of(4, Duration.ofNanos(1), 2), RateLimit.of(Math.PI, Duration.ofNanos(7), 5),
			RateLimit.of(1, Duration.ofDays(1), 1L << 40));

	private static final List<RateLimit> HUGE = List.of(RateLimit.of(10, SECOND, RateLimit.MAX_CAPACITY),
			RateLimit.of(7.77, SECOND, RateLimit.MAX_CAPACITY), RateLimit.of(1, YEAR, RateLimit.MAX_CAPACITY),
			RateLimit.of(5, Duration.ofMinutes(15), RateLimit.MAX_CAPACITY - 1),
			RateLimit.of(123_456_789, SECOND, RateLimit.MAX_CAPACITY),
			RateLimit.of(1_000_000_001, SECOND, RateLimit.MAX_CAPACITY),
			RateLimit.of(4_000_000_000.0, SECOND, RateLimit.MAX_CAPACITY));

	private TestLimits() {
	}

	/**
	 * Returns limits of every kind but huge capacities.
	 */
	static Stream<RateLimit> extremes() {
		return EXTREMES.stream();
	}

	/**
	 * Returns limits whose capacity is so large that a part of a token is longer than a
	 * nanosecond.
	 */
	static Stream<RateLimit> huge() {
		return HUGE.stream();
	}

	/**
	 * Returns the limits of both kinds.
	 */
	static Stream<RateLimit> all() {
		return Stream.concat(extremes(), huge());
	}

	/**
	 * Returns limits whose capacity is at least what a nanosecond adds, so that calls on
	 * a clock of whole nanoseconds can use up the rate.
	 */
	static Stream<RateLimit> sustainable() {
		return extremes().filter((limit) -> limit.rate() / limit.per().toNanos() <= limit.capacity());
	}

	/**
	 * Returns limits whose capacity is more than a token and what a nanosecond adds, so
	 * that nothing overflows between calls that come often enough.
	 */
	static Stream<RateLimit> roomy() {
		return extremes().filter((limit) -> 1 + 2 * limit.rate() / limit.per().toNanos() < limit.capacity());
	}

	static RateLimit random(SplittableRandom random) {
		return switch (random.nextInt(8)) {
			case 0 -> EXTREMES.get(random.nextInt(EXTREMES.size()));
			case 1 -> HUGE.get(random.nextInt(HUGE.size()));
			default -> arbitrary(random);
		};
	}

	private static RateLimit arbitrary(SplittableRandom random) {
		Duration per = PERIODS.get(random.nextInt(PERIODS.size()));
		double slowest = Math.max(-8.5 + Math.log10(per.toNanos() / 1e9), -9);
		double fastest = 9.6 + Math.log10(per.toNanos() / 1e9);
		double rate = Math.pow(10, slowest + random.nextDouble() * (fastest - slowest));
		if (random.nextBoolean() && rate > 1) {
			rate = Math.floor(rate);
		}
		return RateLimit.of(rate, per, upTo(RateLimit.MAX_CAPACITY, random));
	}

	/**
	 * Returns a number from one to a bound, each order of magnitude as likely as any.
	 */
	static long upTo(long bound, SplittableRandom random) {
		long magnitude = 1L << random.nextInt(64 - Long.numberOfLeadingZeros(bound));
		return Math.min(bound, 1 + random.nextLong(magnitude));
	}

}
