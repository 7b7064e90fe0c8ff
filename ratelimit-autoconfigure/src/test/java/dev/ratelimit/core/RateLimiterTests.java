package dev.ratelimit.core;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.ratelimit.core.SettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of a {@link RateLimiter} and of the buckets it hands out.
 */
@Timeout(60)
class RateLimiterTests {

	private static final Duration LONG = Duration.ofHours(1);

	private static final RateLimit LIMIT = RateLimit.of(10, Duration.ofSeconds(1), 5);

	private final ManualTimeSource time = new ManualTimeSource();

	private final DecisionJournal journal = new DecisionJournal();

	private final DecisionNotes notes = new DecisionNotes();

	private final RateLimiter limiter = settings("orders", LIMIT).limiter(this.time, this.journal);

	@Test
	void readsAsItsNameAndLimit() {
		assertThat(this.limiter).hasToString("orders: 10 per 1s, capacity 5");
	}

	@Test
	void readsWithTheKeyAsABucket() {
		assertThat(this.limiter.bucket("alice")).hasToString("orders: 10 per 1s, capacity 5[alice]");
		assertThat(this.limiter.bucket()).hasToString("orders: 10 per 1s, capacity 5");
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 2, 5 })
	void beginsWithItsInitialTokens(long tokens) {
		RateLimiter limiter = settings("orders", LIMIT).initialTokens(tokens).limiter(this.time, this.journal);
		assertThat(limiter.bucket().availableTokens()).isEqualTo(tokens);
		assertThat(limiter.bucket("alice").availableTokens()).isEqualTo(5);
	}

	@Test
	void hasABucketForEachKeyAndOneWithout() {
		assertThat(this.limiter.bucket("alice").tryAcquire(5)).isTrue();
		assertThat(this.limiter.bucket("alice").tryAcquire()).isFalse();
		assertThat(this.limiter.bucket("bob").tryAcquire(5)).isTrue();
		assertThat(this.limiter.bucket().tryAcquire(5)).isTrue();
		assertThat(this.limiter.keys()).isEqualTo(2);
	}

	@Test
	void countsTheBucketsThatItHadToDrop() {
		RateLimiter limiter = settings("orders", LIMIT).maxKeys(1).limiter(this.time, this.journal);
		limiter.bucket("alice").tryAcquire();
		assertThat(limiter.dropped()).isZero();
		limiter.bucket("bob").tryAcquire();
		assertThat(limiter.dropped()).isEqualTo(1);
	}

	@ParameterizedTest
	@NullAndEmptySource
	void takesNoKeyForTheUnkeyedBucket(String key) {
		assertThat(this.limiter.bucket(key).tryAcquire(5)).isTrue();
		assertThat(this.limiter.bucket().availableTokens()).isZero();
		assertThat(this.limiter.keys()).isZero();
	}

	@Test
	void givesAKeyTheLimitOfItsOwn() {
		RateLimiter limiter = settings("orders", LIMIT).keyLimit("vip", RateLimit.perSecond(50))
			.limiter(this.time, this.journal);
		assertThat(limiter.bucket("vip").limit()).isEqualTo(RateLimit.perSecond(50));
		assertThat(limiter.bucket("vip").tryAcquire(50)).isTrue();
		assertThat(limiter.bucket("alice").limit()).isEqualTo(LIMIT);
		assertThat(limiter.bucket().limit()).isEqualTo(LIMIT);
	}

	@Test
	void reportsWhatItsBucketsDecide() {
		this.limiter.bucket().tryAcquire(4);
		this.limiter.bucket().tryAcquire(2);
		this.limiter.bucket("alice").tryAcquire(1);
		assertThat(this.journal.entries()).containsExactly("orders: allowed 4", "orders: rejected 2",
				"orders[alice]: allowed 1");
	}

	@Test
	void reportsWhatItsBucketsPromise() {
		this.limiter.bucket("alice").reserve(5, LONG);
		this.limiter.bucket("alice").reserve(2, LONG);
		this.limiter.bucket("alice").reserve(2, Duration.ZERO);
		assertThat(this.journal.entries()).containsExactly("orders[alice]: allowed 5",
				"orders[alice]: allowed 2 after 200ms", "orders[alice]: rejected 2");
	}

	@Test
	void reportsAWaitForItsBucketsWhenItIsOver() throws InterruptedException {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		RateLimiter limiter = settings("orders", LIMIT).limiter(advancing, this.journal);
		assertThat(limiter.bucket().tryAcquire(5, LONG)).isTrue();
		assertThat(limiter.bucket().tryAcquire(3, LONG)).isTrue();
		assertThat(advancing.nanos()).isEqualTo(Duration.ofMillis(300).toNanos());
		assertThat(limiter.bucket().tryAcquire(3, Duration.ofMillis(299))).isFalse();
		assertThat(this.journal.entries()).containsExactly("orders: allowed 5", "orders: allowed 3 after 300ms",
				"orders: rejected 3");
	}

	@Test
	void waitsForTheWholeCapacityOfItsBuckets() throws InterruptedException {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		TokenBucket bucket = settings("orders", LIMIT).limiter(advancing, this.journal).bucket();
		bucket.tryAcquire(5);
		assertThat(bucket.tryAcquire(5, LONG)).isTrue();
		assertThat(advancing.nanos()).isEqualTo(Duration.ofMillis(500).toNanos());
	}

	@Test
	void rejectsWhatItsBucketsCanNeverHold() {
		TokenBucket bucket = this.limiter.bucket();
		assertThatIllegalArgumentException().isThrownBy(() -> bucket.tryAcquire(6)).withMessageContaining("capacity");
		assertThatIllegalArgumentException().isThrownBy(() -> bucket.tryAcquire(6, LONG))
			.withMessageContaining("capacity");
		assertThatIllegalArgumentException().isThrownBy(() -> bucket.reserve(6, LONG))
			.withMessageContaining("capacity");
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1 })
	void rejectsRequestsForNoTokens(long tokens) {
		assertThatIllegalArgumentException().isThrownBy(() -> request(this.limiter, null, tokens))
			.withMessage("tokens must be one or more, but was " + tokens);
	}

	@Test
	void throwsAtAnInterruptedCallerOfItsBuckets() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.limiter.bucket().tryAcquire(1, LONG));
		assertThat(this.limiter.bucket().availableTokens()).isEqualTo(5);
	}

	@Test
	void letsEverythingPassUncountedWhenSwitchedOff() throws InterruptedException {
		TokenBucket bucket = settings("orders", LIMIT).disabled().limiter(this.time, this.journal).bucket();
		for (int i = 0; i < 7; i++) {
			assertThat(bucket.tryAcquire()).isTrue();
			assertThat(bucket.tryAcquire(1, Duration.ZERO)).isTrue();
			assertThat(bucket.tryAcquire(6, Duration.ZERO)).isTrue();
		}
		assertThat(bucket.availableTokens()).isEqualTo(5);
		assertThat(this.journal.entries()).isEmpty();
	}

	@Test
	void promisesEverythingForNowWhenSwitchedOff() throws InterruptedException {
		TokenBucket bucket = settings("orders", LIMIT).disabled().limiter(this.time, this.journal).bucket();
		bucket.reserve(5, Duration.ZERO);
		Reservation reservation = bucket.reserve(5, Duration.ZERO);
		assertThat(reservation.granted()).isTrue();
		assertThat(reservation.waitTime()).isZero();
		assertThat(reservation.availableTokens()).isEqualTo(5);
		assertThat(reservation.await()).isTrue();
		assertThat(reservation.whenUsable().toCompletableFuture()).isCompletedWithValue(true);
	}

	@Test
	void letsCallsOfAnUnlimitedKeyPassAndReportsThemAsExempt() throws InterruptedException {
		RateLimiter limiter = settings("orders", LIMIT).unlimited("batch").limiter(this.time, this.journal);
		TokenBucket batch = limiter.bucket("batch");
		assertThat(batch.tryAcquire(5)).isTrue();
		assertThat(batch.tryAcquire(4, Duration.ZERO)).isTrue();
		assertThat(batch.reserve(3, Duration.ZERO).granted()).isTrue();
		assertThat(limiter.admitAtOnce(request(limiter, "batch", 2), this.notes)).isTrue();
		assertThat(limiter.keys()).isZero();
		assertThat(this.journal.entries()).containsExactly("orders[batch]: exempt 5", "orders[batch]: exempt 4",
				"orders[batch]: exempt 3", "orders[batch]: exempt 2");
	}

	@Test
	void countsCallsOfOtherKeysThanTheUnlimitedOne() {
		RateLimiter limiter = settings("orders", LIMIT).unlimited("batch").limiter(this.time, this.journal);
		assertThat(limiter.bucket("alice").tryAcquire(5)).isTrue();
		assertThat(limiter.bucket("alice").tryAcquire()).isFalse();
		assertThat(limiter.bucket().tryAcquire(5)).isTrue();
		assertThat(limiter.bucket().tryAcquire()).isFalse();
	}

	@Test
	void exemptsNobodyWhenSwitchedOff() {
		RateLimiter limiter = settings("orders", LIMIT).unlimited("batch").disabled().limiter(this.time, this.journal);
		assertThat(limiter.bucket("batch").tryAcquire()).isTrue();
		assertThat(this.journal.entries()).isEmpty();
	}

	@Test
	void admitsACallAtOnceAndTellsIt() {
		assertThat(this.limiter.admitAtOnce(request(this.limiter, "alice", 2), this.notes)).isTrue();
		assertThat(this.notes.decisions()).containsExactly(new RateLimitDecision("orders", LIMIT, 3, true, null));
		assertThat(this.journal.entries()).containsExactly("orders[alice]: allowed 2");
	}

	@Test
	void leavesACallThatCannotPassAtOnceAlone() {
		this.limiter.bucket().tryAcquire(4);
		assertThat(this.limiter.admitAtOnce(request(this.limiter, null, 2), this.notes)).isFalse();
		assertThat(this.notes.decisions()).isEmpty();
		assertThat(this.limiter.bucket().availableTokens()).isEqualTo(1);
		assertThat(this.journal.entries()).containsExactly("orders: allowed 4");
	}

	@Test
	void admitsACallForTheWholeCapacityAndNoneForMore() {
		assertThat(this.limiter.admitAtOnce(request(this.limiter, null, 6), null)).isFalse();
		assertThat(this.limiter.admitAtOnce(request(this.limiter, null, 5), null)).isTrue();
	}

	@Test
	void admitsNoCallWhoseTokensTheStoreHasJustBeenToldNotToHold() {
		RateLimiter limiter = new RateLimiter(RateLimiterSettings.of("orders", RateLimit.perSecond(20)),
				new FixedStore(new LocalTokenBucketStore(this.time).open(RateLimiterSettings.of("orders", LIMIT))),
				this.time, this.journal);
		assertThat(limiter.admitAtOnce(request(limiter, null, 10), null)).isFalse();
		assertThat(this.journal.entries()).isEmpty();
	}

	@Test
	void putsAnotherLimitInForceForEveryBucketAtOnce() {
		this.limiter.bucket().tryAcquire(4);
		this.limiter.bucket("alice").tryAcquire(3);
		RateLimit other = RateLimit.of(5, Duration.ofSeconds(1), 20);
		this.limiter.change(other);
		assertThat(this.limiter.settings().limit()).isEqualTo(other);
		assertThat(this.limiter.bucket("alice").limit()).isEqualTo(other);
		this.time.advance(Duration.ofMillis(400));
		assertThat(this.limiter.bucket().availableTokens()).isEqualTo(3);
		assertThat(this.limiter.bucket("alice").availableTokens()).isEqualTo(4);
		assertThat(this.limiter.bucket("bob").availableTokens()).isEqualTo(20);
	}

	@Test
	void leavesAKeyItsOwnLimitWhenAnotherIsPutInForce() {
		RateLimit own = RateLimit.of(2, Duration.ofSeconds(1), 50);
		RateLimiter limiter = settings("orders", LIMIT).keyLimit("vip", own).limiter(this.time, this.journal);
		limiter.bucket("vip").tryAcquire(50);
		limiter.change(RateLimit.perSecond(1));
		assertThat(limiter.bucket("vip").limit()).isEqualTo(own);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(limiter.bucket("vip").availableTokens()).isEqualTo(2);
	}

	@Test
	void fillsEveryBucket() {
		this.limiter.bucket().tryAcquire(4);
		this.limiter.bucket("alice").tryAcquire(3);
		this.limiter.refill();
		assertThat(this.limiter.bucket().availableTokens()).isEqualTo(5);
		assertThat(this.limiter.bucket("alice").availableTokens()).isEqualTo(5);
	}

	private static RateLimitRequest request(RateLimiter limiter, String key, long tokens) {
		return new RateLimitRequest(limiter, key, tokens, 0);
	}

}
