package dev.ratelimit.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests of what a {@link LocalTokenBucket} does beyond a {@link TokenBucket}: to be
 * refilled and to get another limit.
 */
@Timeout(60)
class LocalTokenBucketTests {

	private static final Duration LONG = Duration.ofHours(1);

	private final ManualTimeSource clock = new ManualTimeSource();

	@Test
	void isFullAfterARefill() {
		LocalTokenBucket bucket = bucket(10, 10);
		bucket.tryAcquire(7);
		bucket.refill();
		assertThat(bucket.tryAcquire(10)).isTrue();
		assertThat(bucket.tryAcquire()).isFalse();
	}

	@Test
	void lendsARefillToThoseWhoWaitFirst() {
		LocalTokenBucket bucket = bucket(10, 10);
		bucket.tryAcquire(10);
		CompletableFuture<Boolean> first = bucket.reserve(6, LONG).whenUsable().toCompletableFuture();
		Reservation second = bucket.reserve(6, LONG);
		bucket.refill();
		assertThat(first).isCompletedWithValue(true);
		assertThat(second.waitTime()).isEqualTo(Duration.ofMillis(200));
	}

	@Test
	void getsNothingBackThatARefillHasReplaced() {
		LocalTokenBucket bucket = bucket(1, 5);
		Reservation replaced = bucket.reserve(5, LONG);
		bucket.refill();
		bucket.tryAcquire(5);
		replaced.cancel();
		assertThat(bucket.availableTokens()).isZero();
	}

	@Test
	void keepsItsTokensUnderAnotherLimit() {
		LocalTokenBucket bucket = bucket(10, 10);
		bucket.tryAcquire(6);
		bucket.change(clock(3, 20));
		assertThat(bucket.availableTokens()).isEqualTo(4);
	}

	@Test
	void isRefilledAtTheRateOfAnotherLimit() {
		LocalTokenBucket bucket = bucket(10, 10);
		bucket.tryAcquire(10);
		bucket.change(clock(3, 20));
		this.clock.advance(Duration.ofNanos(333_333_333));
		assertThat(bucket.tryAcquire()).isFalse();
		this.clock.advanceNanos(2);
		assertThat(bucket.tryAcquire()).isTrue();
	}

	@Test
	void holdsNoMoreThanASmallerCapacity() {
		LocalTokenBucket bucket = bucket(10, 10);
		bucket.change(clock(10, 3));
		assertThat(bucket.tryAcquire(3)).isTrue();
		assertThat(bucket.tryAcquire()).isFalse();
	}

	@Test
	void getsNothingBackThatASmallerCapacityCouldNotHold() {
		LocalTokenBucket bucket = bucket(1, 10);
		Reservation six = bucket.reserve(6, LONG);
		bucket.change(clock(1, 3));
		bucket.tryAcquire(3);
		six.cancel();
		assertThat(bucket.availableTokens()).isZero();
	}

	@Test
	void getsBackWhatWasGrantedUnderAnotherLimit() {
		LocalTokenBucket bucket = bucket(1, 10);
		Reservation six = bucket.reserve(6, LONG);
		bucket.change(clock(3, 10));
		six.cancel();
		assertThat(bucket.availableTokens()).isEqualTo(10);
	}

	@Test
	void shortensWaitsUnderWayWhenTheRateIsRaised() {
		LocalTokenBucket bucket = bucket(10, 10);
		bucket.tryAcquire(10);
		Reservation first = bucket.reserve(4, LONG);
		CompletableFuture<Boolean> second = bucket.reserve(4, LONG).whenUsable().toCompletableFuture();
		bucket.change(clock(20, 10));
		assertThat(first.waitTime()).isEqualTo(Duration.ofMillis(200));
		this.clock.advance(Duration.ofMillis(399));
		assertThat(second).isNotDone();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(second).isCompletedWithValue(true);
	}

	@Test
	void refusesThoseWhoseWaitHasBecomeTooLongWhenTheRateIsLowered() {
		LocalTokenBucket bucket = bucket(10, 10);
		bucket.tryAcquire(10);
		CompletableFuture<Boolean> patient = bucket.reserve(4, Duration.ofMillis(800))
			.whenUsable()
			.toCompletableFuture();
		CompletableFuture<Boolean> hasty = bucket.reserve(4, Duration.ofSeconds(1)).whenUsable().toCompletableFuture();
		bucket.change(clock(5, 10));
		assertThat(hasty).isCompletedWithValue(false);
		assertThat(patient).isNotDone();
		assertThat(bucket.reserve(1, Duration.ZERO).waitTime()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void readsAsItsLimitAndItsTokens() {
		LocalTokenBucket bucket = bucket(10, 10);
		bucket.tryAcquire(7);
		assertThat(bucket).hasToString("10 per 1s, capacity 10, 3 available");
	}

	@Test
	void answersNothingOnceItHasEnded() {
		LocalTokenBucket bucket = bucket(10, 10);
		bucket.retire();
		assertThat(bucket.take(1)).isEqualTo(Outcome.RETIRED);
		assertThat(bucket.reserve(1, 0)).isNull();
		assertThatIllegalStateException().isThrownBy(() -> bucket.reserve(1, LONG))
			.withMessage("the bucket has been replaced");
	}

	@Test
	void staysEndedWhateverIsDoneToIt() {
		LocalTokenBucket bucket = bucket(10, 10);
		LocalReservation granted = bucket.reserve(4, 0);
		bucket.retire();
		bucket.refill();
		bucket.change(clock(3, 20));
		granted.cancel();
		assertThat(bucket.take(1)).isEqualTo(Outcome.RETIRED);
		assertThat(bucket.retireIfFull()).isTrue();
	}

	@Test
	void endsFullOrNot() {
		assertThat(bucket(10, 10).retire()).isTrue();
		LocalTokenBucket used = bucket(10, 10);
		used.tryAcquire(1);
		assertThat(used.retire()).isFalse();
		LocalTokenBucket refilled = bucket(10, 10);
		refilled.tryAcquire(1);
		this.clock.advance(Duration.ofMillis(100));
		assertThat(refilled.retire()).isTrue();
	}

	@Test
	void goesOnWhenItWasToEndOnlyIfFull() {
		LocalTokenBucket bucket = bucket(10, 10);
		bucket.tryAcquire(5);
		this.clock.advance(Duration.ofMillis(499));
		assertThat(bucket.retireIfFull()).isFalse();
		assertThat(bucket.tryAcquire(9)).isTrue();
		this.clock.advance(Duration.ofMillis(901));
		assertThat(bucket.retireIfFull()).isTrue();
		assertThat(bucket.take(1)).isEqualTo(Outcome.RETIRED);
	}

	@Test
	void endsWhenItIsFullAndHuge() {
		LocalTokenBucket bucket = bucket(10, RateLimit.MAX_CAPACITY);
		assertThat(bucket.retireIfFull()).isTrue();
		assertThat(bucket.take(1)).isEqualTo(Outcome.RETIRED);
		assertThat(bucket(10, RateLimit.MAX_CAPACITY).retire()).isTrue();
	}

	@Test
	void isSurelyFullAfterOneMoreCallForAllOfIt() {
		LocalTokenBucket bucket = bucket(10, 10);
		assertThat(bucket.nanosUntilSurelyFull()).isBetween(1_000_000_000L, 1_000_002_000L);
		bucket.tryAcquire(10);
		assertThat(bucket.nanosUntilSurelyFull()).isBetween(2_000_000_000L, 2_000_003_000L);
		this.clock.advance(Duration.ofMillis(300));
		assertThat(bucket.nanosUntilSurelyFull()).isBetween(1_700_000_000L, 1_700_003_000L);
		this.clock.advance(LONG);
		assertThat(bucket.nanosUntilSurelyFull()).isBetween(1_000_000_000L, 1_000_002_000L);
	}

	@Test
	void keepsItsTokensUnderALimitOfAHugeCapacity() {
		LocalTokenBucket bucket = bucket(10, 10);
		bucket.tryAcquire(6);
		bucket.change(clock(10, RateLimit.MAX_CAPACITY));
		assertThat(bucket.availableTokens()).isEqualTo(4);
		assertThat(bucket.tryAcquire(4)).isTrue();
		assertThat(bucket.tryAcquire()).isFalse();
	}

	@Test
	void isFullUnderALimitOfASmallerCapacityWhenItWasFullAndHuge() {
		LocalTokenBucket bucket = bucket(10, RateLimit.MAX_CAPACITY);
		bucket.change(clock(10, 4));
		assertThat(bucket.tryAcquire(4)).isTrue();
		assertThat(bucket.tryAcquire()).isFalse();
	}

	@Test
	void holdsWhatItHeldUnderALimitOfALargerCapacityWhenItWasFullAndHuge() {
		LocalTokenBucket bucket = bucket(10, RateLimit.MAX_CAPACITY - 1);
		bucket.change(clock(10, RateLimit.MAX_CAPACITY));
		assertThat(bucket.availableTokens()).isEqualTo(RateLimit.MAX_CAPACITY - 1);
		assertThat(bucket.tryAcquire(RateLimit.MAX_CAPACITY)).isFalse();
		this.clock.advance(Duration.ofMillis(101));
		assertThat(bucket.tryAcquire(RateLimit.MAX_CAPACITY)).isTrue();
	}

	@Test
	void getsNothingBackThatOverflowedWhenItWasHuge() {
		LocalTokenBucket bucket = bucket(10, RateLimit.MAX_CAPACITY);
		Reservation granted = bucket.reserve(4, LONG);
		this.clock.advance(LONG);
		bucket.change(clock(20, RateLimit.MAX_CAPACITY));
		bucket.change(clock(10, 5));
		bucket.tryAcquire(5);
		granted.cancel();
		assertThat(bucket.availableTokens()).isZero();
	}

	@Test
	void tellsWhatItHeldAfterTheFirstGrantWhenItIsHuge() {
		LocalTokenBucket bucket = bucket(10, RateLimit.MAX_CAPACITY);
		assertThat(bucket.reserve(2, LONG).availableTokens()).isEqualTo(RateLimit.MAX_CAPACITY - 2);
	}

	@Test
	void letsOtherThreadsInAfterTheFirstGrantWhenItIsHuge() throws Exception {
		Callers callers = new Callers();
		LocalTokenBucket bucket = bucket(10, RateLimit.MAX_CAPACITY);
		bucket.tryAcquire(2);
		Callers.Caller<Void> other = callers.start(() -> {
			bucket.refill();
			return null;
		});
		other.result();
		callers.endAll();
		assertThat(bucket.availableTokens()).isEqualTo(RateLimit.MAX_CAPACITY);
	}

	@Test
	void isFullAfterARefillWhenItIsHuge() {
		LocalTokenBucket bucket = bucket(10, RateLimit.MAX_CAPACITY);
		bucket.tryAcquire(RateLimit.MAX_CAPACITY);
		bucket.refill();
		assertThat(bucket.availableTokens()).isEqualTo(RateLimit.MAX_CAPACITY);
		assertThat(bucket.tryAcquire(RateLimit.MAX_CAPACITY)).isTrue();
	}

	private LocalTokenBucket bucket(double rate, long capacity) {
		LocalTokenBucket bucket = new LocalTokenBucket(clock(rate, capacity));
		this.clock.advance(Duration.ofMillis(1_700));
		return bucket;
	}

	private TokenClock clock(double rate, long capacity) {
		return new TokenClock(RateLimit.of(rate, Duration.ofSeconds(1), capacity), this.clock);
	}

}
