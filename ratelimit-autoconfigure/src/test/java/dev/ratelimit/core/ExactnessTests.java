package dev.ratelimit.core;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of the promises of the arithmetic against an {@link ExactTokenBucket}.
 * <p>
 * Random ones print the seed of the run that failed; {@code -Dratelimit.test.seed} begins
 * with it.
 */
class ExactnessTests {

	private static final long SEED = Long.getLong("ratelimit.test.seed", System.nanoTime());

	private static final int HISTORIES = Integer.getInteger("ratelimit.test.histories", 3_000);

	private static final int STEPS = 100;

	private static final long YEAR = Duration.ofDays(365).toNanos();

	private static final Duration LONGEST_WAIT = Duration.ofDays(15 * 365);

	private static final Duration FOREVER = VerifiedTokenBucket.CENTURY;

	@Test
	void followsTheExactModelInRandomHistories() {
		randomHistories(Cancellations.NONE);
	}

	@Test
	void followsTheExactModelWhenWaitingCallsAreCancelled() {
		randomHistories(Cancellations.WAITING);
	}

	@Test
	void followsTheExactModelWhenCallsAreCancelledAtTheInstantOfTheirGrant() {
		randomHistories(Cancellations.IMMEDIATE);
	}

	@Test
	void neverGrantsATokenTooManyWhenCallsAreCancelledInAnyOrder() {
		randomHistories(Cancellations.ANY);
	}

	@Test
	void neverGrantsATokenTooManyInALongHistoryOfCancellations() {
		SplittableRandom random = new SplittableRandom(SEED);
		VerifiedTokenBucket bucket = bucket(RateLimit.of(7.77, Duration.ofSeconds(1), 1_000), random);
		List<VerifiedTokenBucket.Held> held = new ArrayList<>();
		for (int i = 0; i < 6_000; i++) {
			held.add(bucket.reserve(1 + random.nextLong(10), Duration.ofMillis(random.nextInt(3_000))));
			if (random.nextBoolean()) {
				int recent = Math.min(held.size(), 200);
				bucket.cancel(held.remove(held.size() - 1 - random.nextInt(recent)));
			}
			bucket.advance(random.nextLong(40_000_000));
		}
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#all")
	void grantsABurstOfExactlyTheCapacityToOneCall(RateLimit limit) {
		SplittableRandom random = new SplittableRandom(SEED);
		for (int i = 0; i < 50; i++) {
			VerifiedTokenBucket bucket = bucket(limit, random);
			bucket.advance(anyIdleTime(random));
			assertThat(bucket.tryAcquire(limit.capacity())).as("seed %d", SEED).isTrue();
			assertThat(bucket.tryAcquire(1)).as("seed %d", SEED).isFalse();
		}
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#all")
	void grantsABurstOfExactlyTheCapacityToSeveralCalls(RateLimit limit) {
		SplittableRandom random = new SplittableRandom(SEED);
		for (int i = 0; i < 50; i++) {
			VerifiedTokenBucket bucket = bucket(limit, random);
			bucket.advance(anyIdleTime(random));
			long left = limit.capacity();
			for (int call = 0; call < 20 && left > 0; call++) {
				long tokens = TestLimits.upTo(left, random);
				assertThat(bucket.tryAcquire(tokens)).as("seed %d", SEED).isTrue();
				left -= tokens;
			}
			assertThat(left == 0 || bucket.tryAcquire(left)).as("seed %d", SEED).isTrue();
			assertThat(bucket.tryAcquire(1)).as("seed %d", SEED).isFalse();
		}
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#all")
	void grantsTheNextBurstOnceTheBucketHasFilledUpAgain(RateLimit limit) {
		SplittableRandom random = new SplittableRandom(SEED);
		VerifiedTokenBucket bucket = bucket(limit, random);
		BigInteger refill = bucket.exact().refillNanos(limit.capacity());
		if (refill.compareTo(BigInteger.valueOf(30 * YEAR)) <= 0) {
			for (int i = 0; i < 3; i++) {
				assertThat(bucket.tryAcquire(limit.capacity())).as("seed %d", SEED).isTrue();
				bucket.advance(refill.longValueExact() + bucket.exact().partNanos());
			}
		}
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#all")
	void passesExactlyAfterTheWaitThatARefusalNames(RateLimit limit) {
		SplittableRandom random = new SplittableRandom(SEED);
		VerifiedTokenBucket bucket = bucket(limit, random);
		for (int i = 0; i < 30; i++) {
			long tokens = Math.min(limit.capacity(), 1 + random.nextLong(3));
			drain(bucket);
			VerifiedTokenBucket.Held refused = bucket.reserve(tokens, Duration.ZERO);
			assertThat(refused.reservation().granted()).isFalse();
			Duration wait = refused.reservation().waitTime();
			if (wait.plusNanos(bucket.now()).compareTo(FOREVER) > 0) {
				return;
			}
			bucket.advance(wait.toNanos() - 1);
			assertThat(bucket.tryAcquire(tokens)).as("a nanosecond before, seed %d", SEED).isFalse();
			assertThat(bucket.reserve(tokens, Duration.ZERO).reservation().waitTime()).isEqualTo(Duration.ofNanos(1));
			bucket.advance(1);
			assertThat(bucket.tryAcquire(tokens)).as("when told, seed %d", SEED).isTrue();
			bucket.advance(random.nextLong(bucket.exact().refillNanos(1).longValueExact() + 1) / 3);
		}
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#all")
	void grantsAWaitThatFitsToTheNanosecondAndNoneThatIsLonger(RateLimit limit) {
		SplittableRandom random = new SplittableRandom(SEED);
		VerifiedTokenBucket bucket = bucket(limit, random);
		drain(bucket);
		for (int i = 0; i < 30; i++) {
			long tokens = Math.min(limit.capacity(), 1 + random.nextLong(3));
			Duration wait = bucket.reserve(tokens, Duration.ZERO).reservation().waitTime();
			if (wait.compareTo(LONGEST_WAIT) > 0) {
				return;
			}
			assertThat(bucket.reserve(tokens, wait.minusNanos(1)).reservation().granted()).isFalse();
			Reservation reservation = bucket.reserve(tokens, wait).reservation();
			assertThat(reservation.granted()).as("seed %d", SEED).isTrue();
			assertThat(reservation.waitTime()).isEqualTo(wait);
		}
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#sustainable")
	void grantsTheRateItselfToCallsThatComeAsSoonAsTheyPass(RateLimit limit) throws InterruptedException {
		ManualTimeSource clock = ManualTimeSource.autoAdvancing();
		TokenBucket bucket = TokenBucket.create(limit, clock);
		ExactTokenBucket exact = new ExactTokenBucket(limit);
		bucket.acquire(limit.capacity());
		long calls = callsOfThirtyYears(exact, 5_000);
		for (int i = 0; i < calls; i++) {
			bucket.acquire();
		}
		BigInteger due = exact.refillNanos(calls);
		assertThat(BigInteger.valueOf(clock.nanos())).isBetween(due.subtract(BigInteger.ONE),
				due.add(BigInteger.valueOf(exact.partNanos())));
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#sustainable")
	void grantsTheRateItselfToCallsThatTakeTheWholeCapacity(RateLimit limit) throws InterruptedException {
		ManualTimeSource clock = ManualTimeSource.autoAdvancing();
		TokenBucket bucket = TokenBucket.create(limit, clock);
		ExactTokenBucket exact = new ExactTokenBucket(limit);
		long calls = callsOfThirtyYears(exact, 5_000) / limit.capacity();
		for (int i = 0; i <= calls; i++) {
			bucket.acquire(limit.capacity());
		}
		BigInteger due = exact.refillNanos(calls * limit.capacity());
		assertThat(BigInteger.valueOf(clock.nanos())).isBetween(due.subtract(BigInteger.ONE),
				due.add(BigInteger.valueOf(exact.partNanos())));
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#roomy")
	void grantsTheRateItselfToCallsAtRandomInstants(RateLimit limit) {
		SplittableRandom random = new SplittableRandom(SEED);
		ManualTimeSource clock = new ManualTimeSource(anyOrigin(random));
		long origin = clock.nanos();
		TokenBucket bucket = TokenBucket.create(limit, clock);
		ExactTokenBucket exact = new ExactTokenBucket(limit);
		assertThat(bucket.tryAcquire(limit.capacity())).isTrue();
		long granted = limit.capacity();
		int polls = 3_000;
		long withoutOverflow = exact.refillNanos(limit.capacity() - 1).min(BigInteger.valueOf(YEAR)).longValueExact();
		long longestPause = Math.min(Math.max(1, withoutOverflow - 1 - exact.partNanos()), 30 * YEAR / polls);
		for (int i = 0; i < polls; i++) {
			clock.advanceNanos(1 + random.nextLong(longestPause));
			long available = bucket.availableTokens();
			if (available > 0) {
				assertThat(bucket.tryAcquire(available)).as("seed %d", SEED).isTrue();
				granted += available;
			}
		}
		BigInteger most = exact.mostGranted(clock.nanos() - origin);
		assertThat(BigInteger.valueOf(granted)).as("seed %d", SEED)
			.isBetween(most.subtract(BigInteger.ONE), most.add(BigInteger.ONE));
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#huge")
	void keepsTimeAfterTheWholeOfAHugeCapacityIsTaken(RateLimit limit) {
		SplittableRandom random = new SplittableRandom(SEED);
		for (int i = 0; i < 100; i++) {
			VerifiedTokenBucket bucket = bucket(limit, random);
			long due = bucket.exact().refillNanos(1).longValueExact();
			bucket.advance(random.nextLong(due) + random.nextLong(YEAR));
			assertThat(bucket.tryAcquire(limit.capacity())).isTrue();
			bucket.advance(Math.max(0, due - 2));
			assertThat(due >= 2 && bucket.tryAcquire(1)).as("more than a nanosecond early, seed %d", SEED).isFalse();
			bucket.advance(2 + bucket.exact().partNanos());
			assertThat(bucket.tryAcquire(1)).as("a part late, seed %d", SEED).isTrue();
		}
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#all")
	void isExactAfterAHundredYearsOfIdleness(RateLimit limit) {
		SplittableRandom random = new SplittableRandom(SEED);
		VerifiedTokenBucket bucket = bucket(limit, random);
		for (int i = 0; i < 10; i++) {
			bucket.tryAcquire(limit.capacity());
			bucket.advance(10 * YEAR - random.nextLong(1_000));
			bucket.tryAcquire(TestLimits.upTo(limit.capacity(), random));
			drain(bucket);
			VerifiedTokenBucket.Held next = bucket.reserve(1, Duration.ofDays(365));
			if (next.reservation().granted()) {
				bucket.advance(next.reservation().waitTime().toNanos() - 1);
				bucket.advance(1);
			}
		}
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#all")
	void keepsTimeWhereTheClockWraps(RateLimit limit) {
		for (long small : new long[] { 0, 1, 2, 1_000, 1_000_000_000, YEAR }) {
			VerifiedTokenBucket bucket = new VerifiedTokenBucket(limit, new ManualTimeSource(Long.MAX_VALUE - small),
					"at the wrap");
			drain(bucket);
			for (int i = 0; i < 10; i++) {
				VerifiedTokenBucket.Held next = bucket.reserve(1, Duration.ofDays(3650));
				bucket.advance(next.reservation().granted() ? next.reservation().waitTime().toNanos() : YEAR);
			}
			bucket.advance(YEAR);
			bucket.tryAcquire(limit.capacity());
		}
	}

	@Test
	void refusesTheSixthTokenAfterTwoWaitingCallsWereCancelled() {
		VerifiedTokenBucket bucket = bucket(RateLimit.of(1, Duration.ofSeconds(1), 5));
		bucket.tryAcquire(5);
		VerifiedTokenBucket.Held three = bucket.reserve(3, FOREVER);
		VerifiedTokenBucket.Held one = bucket.reserve(1, FOREVER);
		bucket.cancel(three);
		bucket.cancel(one);
		assertThat(bucket.tryAcquire(1)).isFalse();
	}

	@Test
	void refusesTheSixthTokenAfterTwoWaitingCallsWereCancelledTheOtherWayRound() {
		VerifiedTokenBucket bucket = bucket(RateLimit.of(1, Duration.ofSeconds(1), 5));
		bucket.tryAcquire(5);
		VerifiedTokenBucket.Held three = bucket.reserve(3, FOREVER);
		VerifiedTokenBucket.Held one = bucket.reserve(1, FOREVER);
		bucket.cancel(one);
		bucket.cancel(three);
		assertThat(bucket.tryAcquire(1)).isFalse();
	}

	@Test
	void givesBackLessLaterWhatAnEarlierCancellationHasGivenBack() {
		VerifiedTokenBucket bucket = bucket(RateLimit.of(1, Duration.ofSeconds(1), 5));
		VerifiedTokenBucket.Held three = bucket.reserve(3, FOREVER);
		VerifiedTokenBucket.Held two = bucket.reserve(2, FOREVER);
		bucket.advance(2_000_000_000);
		bucket.cancel(three);
		bucket.advance(2_000_000_000);
		bucket.tryAcquire(1);
		bucket.cancel(two);
		assertThat(bucket.tryAcquire(5)).isFalse();
		assertThat(bucket.availableTokens()).isEqualTo(4);
	}

	@Test
	void givesBackWhatTheRefillHasNotReplaced() {
		VerifiedTokenBucket bucket = bucket(RateLimit.of(1, Duration.ofSeconds(1), 10));
		VerifiedTokenBucket.Held five = bucket.reserve(5, FOREVER);
		bucket.advance(2_000_000_000);
		assertThat(bucket.availableTokens()).isEqualTo(7);
		bucket.cancel(five);
		assertThat(bucket.availableTokens()).isEqualTo(10);
	}

	@Test
	void givesNothingBackOnceTheBucketHasFilledUpAgain() {
		VerifiedTokenBucket bucket = bucket(RateLimit.of(1, Duration.ofSeconds(1), 5));
		VerifiedTokenBucket.Held five = bucket.reserve(5, FOREVER);
		bucket.advance(5_000_000_000L);
		bucket.tryAcquire(3);
		bucket.cancel(five);
		assertThat(bucket.tryAcquire(3)).isFalse();
		assertThat(bucket.availableTokens()).isEqualTo(2);
	}

	@Test
	void givesBackNoTokenTooManyWhenAThousandCallsAheadWereCancelled() {
		ManualTimeSource clock = new ManualTimeSource();
		TokenBucket bucket = TokenBucket.create(RateLimit.of(1, Duration.ofSeconds(1), 4_000), clock);
		List<Reservation> ahead = reserve(bucket, 1_100);
		Reservation expensive = bucket.reserve(2_000, Duration.ZERO);
		ahead.forEach(Reservation::cancel);
		clock.advance(Duration.ofSeconds(50));
		bucket.tryAcquire(100);
		expensive.cancel();
		assertThat(bucket.tryAcquire(3_901)).isFalse();
	}

	@Test
	void givesBackNoTokenTooManyWhenOneCallAheadAndAThousandBehindWereCancelled() {
		ManualTimeSource clock = new ManualTimeSource();
		TokenBucket bucket = TokenBucket.create(RateLimit.of(1, Duration.ofSeconds(1), 4_000), clock);
		Reservation ahead = bucket.reserve(50, Duration.ZERO);
		Reservation expensive = bucket.reserve(2_000, Duration.ZERO);
		List<Reservation> behind = reserve(bucket, 1_100);
		bucket.tryAcquire(1);
		ahead.cancel();
		for (int i = behind.size() - 1; i >= 0; i--) {
			behind.get(i).cancel();
		}
		clock.advance(Duration.ofSeconds(50));
		bucket.tryAcquire(100);
		expensive.cancel();
		assertThat(bucket.tryAcquire(3_901)).isFalse();
	}

	@Test
	void givesEverythingBackInAnyOrderAtTheInstantOfTheGrants() {
		for (int[] order : new int[][] { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
				{ 2, 1, 0 } }) {
			VerifiedTokenBucket bucket = bucket(RateLimit.of(3, Duration.ofSeconds(1), 7));
			List<VerifiedTokenBucket.Held> grants = List.of(bucket.reserve(1, Duration.ZERO),
					bucket.reserve(4, Duration.ZERO), bucket.reserve(2, Duration.ZERO));
			for (int index : order) {
				bucket.cancel(grants.get(index));
			}
			assertThat(bucket.tryAcquire(7)).isTrue();
		}
	}

	@Test
	void leavesNoTraceOfARefusal() {
		VerifiedTokenBucket bucket = bucket(RateLimit.of(3, Duration.ofSeconds(1), 3));
		bucket.tryAcquire(3);
		for (int i = 0; i < 1_000; i++) {
			bucket.tryAcquire(1 + i % 3);
			bucket.reserve(1 + i % 3, Duration.ofMillis(100));
		}
		bucket.advance(333_333_334);
		assertThat(bucket.tryAcquire(1)).isTrue();
	}

	@Test
	void grantsThreeSingleCallsAndOneOfThreeAlike() {
		for (int idle = 0; idle < 1_000; idle++) {
			VerifiedTokenBucket bucket = bucket(RateLimit.of(3, Duration.ofSeconds(1), 3));
			bucket.advance(idle);
			assertThat(bucket.tryAcquire(3)).isTrue();
			bucket.advance(1_000_000_000);
			assertThat(bucket.tryAcquire(1)).isTrue();
			assertThat(bucket.tryAcquire(1)).isTrue();
			assertThat(bucket.tryAcquire(1)).isTrue();
			assertThat(bucket.tryAcquire(1)).isFalse();
		}
	}

	@ParameterizedTest
	@MethodSource("dev.ratelimit.core.TestLimits#all")
	void rejectsMoreTokensThanTheCapacity(RateLimit limit) {
		TokenBucket bucket = TokenBucket.create(limit, new ManualTimeSource());
		for (long tokens : new long[] { limit.capacity() + 1, 2 * limit.capacity() + 1, Long.MAX_VALUE }) {
			assertThatIllegalArgumentException().isThrownBy(() -> bucket.tryAcquire(tokens));
			assertThatIllegalArgumentException().isThrownBy(() -> bucket.tryAcquire(tokens, FOREVER));
			assertThatIllegalArgumentException().isThrownBy(() -> bucket.acquire(tokens));
			assertThatIllegalArgumentException().isThrownBy(() -> bucket.reserve(tokens, FOREVER));
		}
		assertThat(bucket.availableTokens()).isEqualTo(limit.capacity());
	}

	@Test
	void rejectsZeroAndFewerTokens() {
		TokenBucket bucket = TokenBucket.create(RateLimit.perSecond(10), new ManualTimeSource());
		for (long tokens : new long[] { 0, -1, Integer.MIN_VALUE, Long.MIN_VALUE }) {
			assertThatIllegalArgumentException().isThrownBy(() -> bucket.tryAcquire(tokens));
			assertThatIllegalArgumentException().isThrownBy(() -> bucket.tryAcquire(tokens, FOREVER));
			assertThatIllegalArgumentException().isThrownBy(() -> bucket.acquire(tokens));
			assertThatIllegalArgumentException().isThrownBy(() -> bucket.reserve(tokens, FOREVER));
		}
		assertThat(bucket.availableTokens()).isEqualTo(10);
	}

	@Test
	void saysHowManyTokensCanNeverPass() {
		TokenBucket bucket = TokenBucket.create(RateLimit.perSecond(10), new ManualTimeSource());
		assertThatIllegalArgumentException().isThrownBy(() -> bucket.tryAcquire(11))
			.withMessageContaining("11")
			.withMessageContaining("10");
	}

	@Test
	void saturatesAWaitThatIsLongerThanAnyClockLasts() {
		TokenBucket bucket = TokenBucket.create(RateLimit.of(1, Duration.ofDays(365), RateLimit.MAX_CAPACITY),
				new ManualTimeSource());
		bucket.tryAcquire(RateLimit.MAX_CAPACITY);
		Reservation refused = bucket.reserve(RateLimit.MAX_CAPACITY, Duration.ofSeconds(Long.MAX_VALUE));
		assertThat(refused.granted()).isFalse();
		assertThat(refused.waitTime()).isGreaterThan(FOREVER);
	}

	private static void randomHistories(Cancellations cancellations) {
		for (int i = 0; i < HISTORIES; i++) {
			long seed = SEED + i;
			SplittableRandom random = new SplittableRandom(seed);
			RateLimit limit = TestLimits.random(random);
			VerifiedTokenBucket bucket = new VerifiedTokenBucket(limit, new ManualTimeSource(anyOrigin(random)),
					"seed " + seed);
			new RandomHistory(bucket, cancellations, random).run();
		}
	}

	private static VerifiedTokenBucket bucket(RateLimit limit) {
		return new VerifiedTokenBucket(limit, new ManualTimeSource(), "bucket");
	}

	private static VerifiedTokenBucket bucket(RateLimit limit, SplittableRandom random) {
		return new VerifiedTokenBucket(limit, new ManualTimeSource(anyOrigin(random)), "seed " + SEED);
	}

	private static long anyOrigin(SplittableRandom random) {
		return switch (random.nextInt(5)) {
			case 0 -> 0;
			case 1 -> Long.MAX_VALUE - random.nextInt(10);
			case 2 -> Long.MAX_VALUE - random.nextLong(1L << random.nextInt(1, 62));
			case 3 -> -random.nextLong(1L << random.nextInt(1, 62));
			default -> random.nextLong();
		};
	}

	private static long anyIdleTime(SplittableRandom random) {
		return switch (random.nextInt(4)) {
			case 0 -> 0;
			case 1 -> random.nextLong(10);
			case 2 -> random.nextLong(1L << random.nextInt(1, 60));
			default -> random.nextLong(30 * YEAR);
		};
	}

	private static List<Reservation> reserve(TokenBucket bucket, int calls) {
		return IntStream.range(0, calls).mapToObj((i) -> bucket.reserve(1, Duration.ZERO)).toList();
	}

	private static void drain(VerifiedTokenBucket bucket) {
		long available = bucket.availableTokens();
		if (available > 0) {
			assertThat(bucket.tryAcquire(available)).isTrue();
		}
	}

	private static long callsOfThirtyYears(ExactTokenBucket exact, int most) {
		return Math.min(most, 30 * YEAR / exact.refillNanos(1).longValueExact());
	}

	/**
	 * Which reservations a random history cancels.
	 */
	private enum Cancellations {

		NONE, WAITING, IMMEDIATE, ANY

	}

	/**
	 * Random calls at random instants, most of them near the edge between passing and
	 * not.
	 */
	private static final class RandomHistory {

		private static final long END = 40 * YEAR;

		private final VerifiedTokenBucket bucket;

		private final Cancellations cancellations;

		private final SplittableRandom random;

		private final List<VerifiedTokenBucket.Held> held = new ArrayList<>();

		private Duration lastWait = Duration.ZERO;

		private RandomHistory(VerifiedTokenBucket bucket, Cancellations cancellations, SplittableRandom random) {
			this.bucket = bucket;
			this.cancellations = cancellations;
			this.random = random;
		}

		private void run() {
			for (int i = 0; i < STEPS; i++) {
				switch (this.random.nextInt(8)) {
					case 0, 1 -> advance();
					case 2, 3 -> this.bucket.tryAcquire(tokens());
					case 4, 5 -> reserve();
					default -> cancel();
				}
			}
		}

		private void advance() {
			long nanos = Math.min(pause(), END - this.bucket.now());
			if (nanos > 0) {
				this.bucket.advance(nanos);
			}
		}

		private long pause() {
			long token = this.bucket.exact().refillNanos(1).longValueExact();
			BigInteger capacity = this.bucket.exact().refillNanos(this.bucket.limit().capacity());
			return switch (this.random.nextInt(8)) {
				case 0 -> 1 + this.random.nextLong(3);
				case 1 -> this.random.nextLong(token + 1);
				case 2 -> token * this.random.nextLong(4) + this.random.nextLong(3) - 1;
				case 3 -> (this.lastWait.compareTo(LONGEST_WAIT) < 0) ? this.lastWait.toNanos() : 0;
				case 4, 5 -> untilDue();
				case 6 -> this.random.nextLong(capacity.min(BigInteger.valueOf(END)).longValueExact() + 1);
				default -> this.random.nextLong(1L << this.random.nextInt(1, 61));
			};
		}

		private long untilDue() {
			List<VerifiedTokenBucket.Held> waiting = this.bucket.waiting();
			if (waiting.isEmpty()) {
				return 0;
			}
			long due = waiting.get(this.random.nextInt(waiting.size())).due();
			return due - this.bucket.now() + this.random.nextInt(3) - 1;
		}

		private long tokens() {
			long capacity = this.bucket.limit().capacity();
			return switch (this.random.nextInt(6)) {
				case 0 -> 1;
				case 1 -> capacity;
				case 2 -> Math.max(1, this.bucket.availableTokens());
				case 3 -> Math.min(capacity, this.bucket.availableTokens() + 1);
				case 4 -> Math.min(capacity, 1 + this.random.nextLong(5));
				default -> TestLimits.upTo(capacity, this.random);
			};
		}

		private void reserve() {
			VerifiedTokenBucket.Held reservation = this.bucket.reserve(tokens(), maxWait());
			this.lastWait = reservation.reservation().waitTime();
			this.held.add(reservation);
		}

		private Duration maxWait() {
			Duration wait = switch (this.random.nextInt(5)) {
				case 0 -> Duration.ZERO;
				case 1 -> this.lastWait;
				case 2 -> Duration.ofNanos(this.random.nextLong(1L << this.random.nextInt(1, 61)));
				default -> LONGEST_WAIT;
			};
			return (wait.compareTo(LONGEST_WAIT) < 0) ? wait : LONGEST_WAIT;
		}

		private void cancel() {
			List<VerifiedTokenBucket.Held> candidates = switch (this.cancellations) {
				case NONE -> List.of();
				case WAITING -> this.bucket.waiting();
				case IMMEDIATE -> this.held.stream().filter(this.bucket::wouldLeaveNoTrace).toList();
				case ANY -> this.held;
			};
			if (!candidates.isEmpty()) {
				int recent = Math.min(candidates.size(), 10);
				int index = candidates.size() - 1 - this.random.nextInt(recent);
				this.bucket.cancel(candidates.get(index));
			}
		}

	}

}
