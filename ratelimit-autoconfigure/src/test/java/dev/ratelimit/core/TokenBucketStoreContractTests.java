package dev.ratelimit.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.core.TokenBucketStore.Buckets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What every {@link TokenBucketStore} promises.
 */
@Timeout(60)
public abstract class TokenBucketStoreContractTests {

	private static final long ANY_WAIT = Long.MAX_VALUE;

	private static final long NO_WAIT = 0;

	private final ManualTimeSource clock = new ManualTimeSource(1_700_000_000_000_000_000L);

	private final Callers callers = new Callers();

	/**
	 * Returns a store that counts by a clock. Each test gets another one, with other
	 * buckets.
	 */
	protected abstract TokenBucketStore store(ManualTimeSource clock);

	@AfterEach
	void endCallers() throws InterruptedException {
		this.callers.endAll();
	}

	@Test
	void grantsTheCapacityAtOneInstantAndNoMore() {
		Buckets buckets = open(10, 5);
		assertThat(buckets.tryAcquire(null, 3)).isTrue();
		assertThat(buckets.tryAcquire(null, 2)).isTrue();
		assertThat(buckets.tryAcquire(null, 1)).isFalse();
	}

	@Test
	void refillsAtTheRate() {
		Buckets buckets = open(10, 5);
		buckets.tryAcquire(null, 5);
		this.clock.advance(Duration.ofNanos(99_999_000));
		assertThat(buckets.tryAcquire(null, 1)).isFalse();
		this.clock.advance(Duration.ofNanos(1_000));
		assertThat(buckets.tryAcquire(null, 1)).isTrue();
		assertThat(buckets.tryAcquire(null, 1)).isFalse();
	}

	@Test
	void grantsOneCallOfThreeAndThreeSingleCallsAlikeWhereATokenTakesAThird() {
		Buckets buckets = open(3, 3);
		for (int i = 0; i < 30; i++) {
			assertThat(buckets.tryAcquire(null, 3)).isTrue();
			this.clock.advance(Duration.ofSeconds(1));
			assertThat(buckets.tryAcquire(null, 1)).isTrue();
			assertThat(buckets.tryAcquire(null, 1)).isTrue();
			assertThat(buckets.tryAcquire(null, 1)).isTrue();
			assertThat(buckets.tryAcquire(null, 1)).isFalse();
			this.clock.advance(Duration.ofSeconds(1));
		}
	}

	@Test
	void holdsNoMoreThanTheCapacityHoweverLongItIsLeftAlone() {
		Buckets buckets = open(10, 5);
		buckets.tryAcquire(null, 2);
		this.clock.advance(Duration.ofDays(3_650));
		assertThat(buckets.tryAcquire(null, 5)).isTrue();
		assertThat(buckets.tryAcquire(null, 1)).isFalse();
	}

	@Test
	void leavesNoTraceOfRefusals() {
		Buckets buckets = open(10, 5);
		buckets.tryAcquire(null, 5);
		for (int i = 0; i < 50; i++) {
			assertThat(buckets.tryAcquire(null, 1)).isFalse();
			assertThat(buckets.reserve(null, 1, NO_WAIT).granted()).isFalse();
		}
		this.clock.advance(Duration.ofMillis(100));
		assertThat(buckets.tryAcquire(null, 1)).isTrue();
	}

	@Test
	void tellsTheTokensThatCouldBeTaken() {
		Buckets buckets = open(10, 5);
		assertThat(buckets.availableTokens(null)).isEqualTo(5);
		buckets.tryAcquire(null, 2);
		assertThat(buckets.availableTokens(null)).isEqualTo(3);
		buckets.reserve(null, 5, ANY_WAIT);
		assertThat(buckets.availableTokens(null)).isZero();
		this.clock.advance(Duration.ofMillis(500));
		assertThat(buckets.availableTokens(null)).isEqualTo(3);
	}

	@Test
	void knowsWithoutAskingWhatItSawLast() {
		Buckets buckets = open(10, 5);
		assertThat(buckets.lastSeenTokens()).isEqualTo(5);
		buckets.tryAcquire(null, 4);
		buckets.tryAcquire("key", 2);
		assertThat(buckets.lastSeenTokens()).isEqualTo(1);
		buckets.refill("key");
		assertThat(buckets.lastSeenTokens()).isEqualTo(1);
		buckets.refill(null);
		assertThat(buckets.lastSeenTokens()).isEqualTo(5);
		buckets.tryAcquire(null, 4);
		buckets.refillAll();
		assertThat(buckets.lastSeenTokens()).isEqualTo(5);
		buckets.change(RateLimit.of(10, Duration.ofSeconds(1), 3));
		assertThat(buckets.lastSeenTokens()).isEqualTo(3);
	}

	@Test
	void promisesTokensForLaterInOrderOfArrival() {
		Buckets buckets = open(10, 5);
		buckets.tryAcquire(null, 5);
		assertThat(buckets.reserve(null, 2, ANY_WAIT).waitTime()).isEqualTo(Duration.ofMillis(200));
		assertThat(buckets.reserve(null, 1, ANY_WAIT).waitTime()).isEqualTo(Duration.ofMillis(300));
		assertThat(buckets.tryAcquire(null, 1)).isFalse();
		this.clock.advance(Duration.ofMillis(300));
		assertThat(buckets.tryAcquire(null, 1)).isFalse();
		this.clock.advance(Duration.ofMillis(100));
		assertThat(buckets.tryAcquire(null, 1)).isTrue();
	}

	@Test
	void grantsAWaitThatFitsAndNoneThatIsLonger() {
		Buckets buckets = open(10, 5);
		buckets.tryAcquire(null, 5);
		Reservation refused = buckets.reserve(null, 2, Duration.ofMillis(200).minusNanos(1_000).toNanos());
		assertThat(refused.granted()).isFalse();
		assertThat(refused.waitTime()).isEqualTo(Duration.ofMillis(200));
		assertThat(buckets.reserve(null, 2, Duration.ofMillis(200).toNanos()).granted()).isTrue();
	}

	@Test
	void tellsWhatTheBucketHeldAfterAnAnswer() {
		Buckets buckets = open(10, 5);
		assertThat(buckets.reserve(null, 2, NO_WAIT).availableTokens()).isEqualTo(3);
		assertThat(buckets.reserve(null, 4, NO_WAIT).availableTokens()).isEqualTo(3);
		assertThat(buckets.reserve(null, 4, ANY_WAIT).availableTokens()).isZero();
	}

	@Test
	void answersThroughAStageAsItDoesByBlocking() {
		Buckets buckets = open(10, 5);
		assertThat(buckets.reserveAsync(null, 5, NO_WAIT).toCompletableFuture().join().granted()).isTrue();
		Reservation refused = buckets.reserveAsync(null, 1, NO_WAIT).toCompletableFuture().join();
		assertThat(refused.granted()).isFalse();
		assertThat(refused.waitTime()).isEqualTo(Duration.ofMillis(100));
	}

	@Test
	void parksUntilTheTokensMayBeUsed() throws Exception {
		Buckets buckets = open(10, 5);
		buckets.tryAcquire(null, 5);
		Reservation reservation = buckets.reserve(null, 1, ANY_WAIT);
		Callers.Caller<Boolean> caller = this.callers.startAndPark(this.clock, reservation::await);
		this.clock.advance(Duration.ofMillis(99));
		assertThat(caller.done()).isFalse();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(caller.result()).isTrue();
	}

	@Test
	void completesAStageWhenTheTokensMayBeUsed() {
		Buckets buckets = open(10, 5);
		buckets.tryAcquire(null, 5);
		CompletableFuture<Boolean> usable = buckets.reserve(null, 1, ANY_WAIT).whenUsable().toCompletableFuture();
		this.clock.advance(Duration.ofMillis(99));
		assertThat(usable).isNotDone();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(usable).isCompletedWithValue(true);
	}

	@Test
	void refusesToBeWaitedForWhenRefused() throws InterruptedException {
		Buckets buckets = open(10, 5);
		buckets.tryAcquire(null, 5);
		Reservation refused = buckets.reserve(null, 1, NO_WAIT);
		assertThat(refused.await()).isFalse();
		assertThat(refused.whenUsable().toCompletableFuture()).isCompletedWithValue(false);
		refused.cancel();
		assertThat(buckets.availableTokens(null)).isZero();
	}

	@Test
	void releasesAThreadWhoseReservationIsCancelled() throws InterruptedException {
		Buckets buckets = open(10, 5);
		buckets.tryAcquire(null, 5);
		Reservation reservation = buckets.reserve(null, 1, ANY_WAIT);
		CompletableFuture<Boolean> usable = reservation.whenUsable().toCompletableFuture();
		Callers.Caller<Boolean> caller = this.callers.startAndPark(this.clock, reservation::await);
		reservation.cancel();
		assertThatExceptionOfType(CancellationException.class).isThrownBy(caller::result);
		assertThat(Callers.failureOf(usable)).isInstanceOf(CancellationException.class);
	}

	@Test
	void givesItsPlaceBackWhenInterrupted() {
		Buckets buckets = open(10, 5);
		buckets.tryAcquire(null, 5);
		Reservation reservation = buckets.reserve(null, 3, ANY_WAIT);
		Callers.Caller<Boolean> caller = this.callers.startAndPark(this.clock, reservation::await);
		caller.thread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(caller::result);
		assertThat(buckets.reserve(null, 1, ANY_WAIT).waitTime()).isEqualTo(Duration.ofMillis(100));
	}

	@Test
	void getsTheTokensOfACancelledGrantBack() {
		Buckets buckets = open(10, 5);
		Reservation reservation = buckets.reserve(null, 4, NO_WAIT);
		reservation.cancel();
		reservation.cancel();
		assertThat(buckets.availableTokens(null)).isEqualTo(5);
		assertThat(buckets.tryAcquire(null, 5)).isTrue();
		assertThat(buckets.tryAcquire(null, 1)).isFalse();
	}

	@Test
	void getsTheTokensOfACancelledGrantBackWithoutBlocking() {
		Buckets buckets = open(10, 5);
		buckets.reserve(null, 4, NO_WAIT).cancelAsync().toCompletableFuture().join();
		assertThat(buckets.tryAcquire(null, 5)).isTrue();
	}

	@Test
	void getsEverythingBackInAnyOrderAtTheInstantOfTheGrants() {
		for (int[] order : new int[][] { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
				{ 2, 1, 0 } }) {
			Buckets buckets = open(3, 7);
			List<Reservation> grants = List.of(buckets.reserve("key", 1, NO_WAIT), buckets.reserve("key", 4, NO_WAIT),
					buckets.reserve("key", 2, NO_WAIT));
			for (int index : order) {
				grants.get(index).cancel();
			}
			assertThat(buckets.tryAcquire("key", 7)).isTrue();
			this.clock.advance(Duration.ofDays(1));
		}
	}

	@Test
	void getsThePlaceOfTheLastWaitingCallBack() {
		Buckets buckets = open(10, 5);
		buckets.tryAcquire(null, 5);
		buckets.reserve(null, 1, ANY_WAIT);
		buckets.reserve(null, 3, ANY_WAIT).cancel();
		assertThat(buckets.reserve(null, 1, ANY_WAIT).waitTime()).isEqualTo(Duration.ofMillis(200));
	}

	@Test
	void getsBackWhatTheRefillHasNotReplaced() {
		Buckets buckets = open(1, 10);
		Reservation five = buckets.reserve(null, 5, NO_WAIT);
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(buckets.availableTokens(null)).isEqualTo(7);
		five.cancel();
		assertThat(buckets.availableTokens(null)).isEqualTo(10);
	}

	@Test
	void getsNothingBackOnceTheBucketHasFilledUpAgain() {
		Buckets buckets = open(1, 5);
		Reservation five = buckets.reserve(null, 5, NO_WAIT);
		this.clock.advance(Duration.ofSeconds(5));
		buckets.tryAcquire(null, 3);
		five.cancel();
		assertThat(buckets.availableTokens(null)).isEqualTo(2);
	}

	@Test
	void grantsNoSixthTokenAfterTwoWaitingCallsWereCancelled() {
		Buckets buckets = open(1, 5);
		buckets.tryAcquire(null, 5);
		Reservation three = buckets.reserve(null, 3, ANY_WAIT);
		Reservation one = buckets.reserve(null, 1, ANY_WAIT);
		three.cancel();
		one.cancel();
		assertThat(buckets.tryAcquire(null, 1)).isFalse();
	}

	@Test
	void getsBackLessLaterWhatAnEarlierReturnHasBrought() {
		Buckets buckets = open(1, 5);
		Reservation three = buckets.reserve(null, 3, NO_WAIT);
		Reservation two = buckets.reserve(null, 2, NO_WAIT);
		this.clock.advance(Duration.ofSeconds(2));
		three.cancel();
		this.clock.advance(Duration.ofMillis(1_900));
		buckets.tryAcquire(null, 1);
		two.cancel();
		assertThat(buckets.tryAcquire(null, 5)).isFalse();
	}

	@Test
	void getsNothingBackThatARefillHasReplaced() {
		Buckets buckets = open(1, 5);
		Reservation replaced = buckets.reserve(null, 5, NO_WAIT);
		buckets.refill(null);
		buckets.tryAcquire(null, 5);
		replaced.cancel();
		assertThat(buckets.availableTokens(null)).isZero();
	}

	@Test
	void isFullAfterARefill() {
		Buckets buckets = open(1, 5);
		buckets.tryAcquire("key", 4);
		buckets.tryAcquire("other", 4);
		buckets.refill("key");
		assertThat(buckets.availableTokens("key")).isEqualTo(5);
		assertThat(buckets.availableTokens("other")).isEqualTo(1);
	}

	@Test
	void refillsForThoseWhoWaitFirst() {
		Buckets buckets = open(1, 5);
		buckets.tryAcquire(null, 5);
		buckets.reserve(null, 3, ANY_WAIT);
		buckets.refill(null);
		assertThat(buckets.availableTokens(null)).isEqualTo(2);
	}

	@Test
	void refillsAllBuckets() {
		Buckets buckets = open(1, 5);
		List<String> keys = new ArrayList<>(List.of("a", "b:c", "*", "a".repeat(10_000)));
		keys.add(null);
		keys.forEach((key) -> buckets.tryAcquire(key, 5));
		buckets.refillAll();
		assertThat(keys).allSatisfy((key) -> assertThat(buckets.availableTokens(key)).isEqualTo(5));
	}

	@Test
	void refillsNoBucketsOfOtherLimits() {
		TokenBucketStore store = store(this.clock);
		RateLimit limit = RateLimit.of(1, Duration.ofSeconds(1), 5);
		List<Buckets> others = List.of(store.open(RateLimiterSettings.of("orders:a", limit)),
				store.open(RateLimiterSettings.of("order?", limit)),
				store.open(RateLimiterSettings.of("ordersa", limit)));
		others.forEach((buckets) -> {
			buckets.tryAcquire(null, 5);
			buckets.tryAcquire("key", 5);
		});
		store.open(RateLimiterSettings.of("orders", limit)).refillAll();
		store.open(RateLimiterSettings.of("order*", limit)).refillAll();
		assertThat(others).allSatisfy((buckets) -> {
			assertThat(buckets.availableTokens(null)).isZero();
			assertThat(buckets.availableTokens("key")).isZero();
		});
	}

	@ParameterizedTest
	@MethodSource("keys")
	void keepsABucketForEachKey(String key) {
		Buckets buckets = open(1, 5);
		keys().stream().filter((other) -> !other.equals(key)).forEach((other) -> buckets.tryAcquire(other, 2));
		buckets.tryAcquire(null, 4);
		assertThat(buckets.availableTokens(key)).isEqualTo(5);
		buckets.tryAcquire(key, 1);
		assertThat(buckets.availableTokens(key)).isEqualTo(4);
		assertThat(buckets.availableTokens(null)).isEqualTo(1);
	}

	static List<String> keys() {
		return List.of("", " ", "alice", "Alice", "a b", "{a}", "a{b}c}", "a:b", "a", ":a", "::", "*", "a*", "[a]",
				"\\", "%3A", "#", "null", "\0", "\u00e4\u00f6", "\ud83d\ude00", "\ud83d", "\ude00", "?", "\ufffd",
				"a\r\nb", "x".repeat(200), "x".repeat(201), "\u00e4".repeat(10_000));
	}

	@Test
	void countsLimitsByTheirNames() {
		TokenBucketStore store = store(this.clock);
		RateLimit limit = RateLimit.of(1, Duration.ofSeconds(1), 5);
		Buckets one = store.open(RateLimiterSettings.of("a:b", limit));
		Buckets other = store.open(RateLimiterSettings.of("a", limit));
		one.tryAcquire(null, 5);
		assertThat(other.availableTokens("b")).isEqualTo(5);
		other.tryAcquire("b", 3);
		assertThat(one.availableTokens(null)).isZero();
	}

	@Test
	void keepsItsTokensUnderAnotherLimit() {
		Buckets buckets = open(10, 10);
		buckets.tryAcquire(null, 6);
		buckets.change(RateLimit.of(3, Duration.ofSeconds(1), 20));
		assertThat(buckets.availableTokens(null)).isEqualTo(4);
	}

	@Test
	void isRefilledAtTheRateOfAnotherLimit() {
		Buckets buckets = open(10, 10);
		buckets.tryAcquire(null, 10);
		buckets.change(RateLimit.of(4, Duration.ofSeconds(1), 20));
		assertThat(buckets.tryAcquire(null, 1)).isFalse();
		this.clock.advance(Duration.ofMillis(249));
		assertThat(buckets.tryAcquire(null, 1)).isFalse();
		this.clock.advance(Duration.ofMillis(2));
		assertThat(buckets.tryAcquire(null, 1)).isTrue();
	}

	@Test
	void isNotHeldUpByCallsAfterTheRateWasRaised() {
		Buckets buckets = open(0.001, 10);
		buckets.tryAcquire(null, 10);
		buckets.change(RateLimit.of(100, Duration.ofSeconds(1), 10));
		int granted = 0;
		for (int i = 0; i < 100; i++) {
			this.clock.advance(Duration.ofMillis(1));
			granted += buckets.tryAcquire(null, 1) ? 1 : 0;
		}
		assertThat(granted).isBetween(9, 10);
	}

	@Test
	void holdsNoMoreThanASmallerCapacity() {
		Buckets buckets = open(10, 10);
		buckets.tryAcquire(null, 1);
		buckets.change(RateLimit.of(10, Duration.ofSeconds(1), 3));
		assertThat(buckets.tryAcquire(null, 3)).isTrue();
		assertThat(buckets.tryAcquire(null, 1)).isFalse();
	}

	@Test
	void keepsTheDebtOfThoseWhoWaitUnderAnotherLimit() {
		Buckets buckets = open(10, 10);
		buckets.tryAcquire(null, 10);
		buckets.reserve(null, 5, ANY_WAIT);
		buckets.change(RateLimit.of(20, Duration.ofSeconds(1), 15));
		Duration wait = buckets.reserve(null, 1, NO_WAIT).waitTime();
		assertThat(wait).isBetween(Duration.ofMillis(300), Duration.ofMillis(300).plusNanos(1_000));
	}

	@Test
	void leavesTheLimitsOfSingleKeysAloneWhenTheLimitChanges() {
		RateLimit own = RateLimit.of(1, Duration.ofSeconds(1), 50);
		RateLimiterSettings settings = RateLimiterSettings.of("limit", RateLimit.perSecond(5));
		Buckets buckets = store(this.clock).open(new RateLimiterSettings("limit", settings.limit(), true, null, null,
				null, null, settings.maxKeys(), null, java.util.Map.of("partner", own), java.util.Set.of(), false,
				settings.store(), settings.onStoreFailure()));
		buckets.change(RateLimit.perSecond(3));
		assertThat(buckets.tryAcquire("partner", 50)).isTrue();
		assertThat(buckets.tryAcquire("partner", 1)).isFalse();
		assertThat(buckets.availableTokens("other")).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, 6, Long.MIN_VALUE, Long.MAX_VALUE })
	void rejectsNumbersOfTokensThatCanNeverBeGranted(long tokens) {
		Buckets buckets = open(10, 5);
		assertThatIllegalArgumentException().isThrownBy(() -> buckets.tryAcquire(null, tokens));
		assertThatIllegalArgumentException().isThrownBy(() -> buckets.reserve(null, tokens, ANY_WAIT));
		assertThat(buckets.availableTokens(null)).isEqualTo(5);
	}

	@Test
	void grantsTheLimitToManyThreadsTogether() throws Exception {
		Buckets buckets = open(10, 500);
		List<Callers.Caller<Integer>> threads = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			threads.add(this.callers.start(() -> {
				int granted = 0;
				for (int call = 0; call < 100; call++) {
					granted += buckets.tryAcquire("hot", 1) ? 1 : 0;
				}
				return granted;
			}));
		}
		int granted = 0;
		for (Callers.Caller<Integer> thread : threads) {
			granted += thread.result();
		}
		assertThat(granted).isEqualTo(500);
	}

	protected final ManualTimeSource clock() {
		return this.clock;
	}

	protected final Buckets open(double rate, long capacity) {
		return store(this.clock)
			.open(RateLimiterSettings.of("limit", RateLimit.of(rate, Duration.ofSeconds(1), capacity)));
	}

}
