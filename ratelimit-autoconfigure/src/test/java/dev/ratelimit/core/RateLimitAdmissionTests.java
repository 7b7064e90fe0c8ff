package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.ratelimit.core.SettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the {@link RateLimitAdmission} of calls that have one limit.
 */
@Timeout(60)
class RateLimitAdmissionTests {

	private static final Duration LONG = Duration.ofHours(1);

	private static final RateLimit LIMIT = RateLimit.of(10, Duration.ofSeconds(1), 5);

	private final ManualTimeSource time = new ManualTimeSource(Long.MAX_VALUE - 1_000);

	private final DecisionJournal journal = new DecisionJournal();

	private final DecisionNotes notes = new DecisionNotes();

	private final Callers callers = new Callers();

	private final RateLimiter limiter = settings("orders", LIMIT).limiter(this.time, this.journal);

	@AfterEach
	void endThreads() throws InterruptedException {
		this.callers.endAll();
	}

	@Test
	void admitsACallWhoseTokensAreThere() {
		assertThat(ask("alice", 2, LONG).await()).isNull();
		assertThat(this.journal.entries()).containsExactly("orders[alice]: allowed 2");
		assertThat(this.notes.decisions()).containsExactly(new RateLimitDecision("orders", LIMIT, 3, true, null));
	}

	@Test
	void admitsACallWhoseTokensAreThereWithoutAThread() {
		RateLimitAdmission admission = ask("alice", 2, LONG);
		assertThat(admission.whenAdmitted().toCompletableFuture()).isCompletedWithValue(Optional.empty());
		assertThat(this.journal.entries()).isEmpty();
		assertThat(admission.admit()).isTrue();
		assertThat(this.journal.entries()).containsExactly("orders[alice]: allowed 2");
		assertThat(this.notes.decisions()).containsExactly(new RateLimitDecision("orders", LIMIT, 3, true, null));
	}

	@Test
	void refusesACallThatWouldWaitTooLong() {
		this.limiter.bucket("alice").tryAcquire(4);
		RateLimitRefusal refusal = ask("alice", 3, Duration.ofMillis(199)).await();
		assertThat(refusal).isNotNull();
		assertThat(refusal.request().key()).isEqualTo("alice");
		assertThat(refusal.exception().getBucketName()).isEqualTo("orders");
		assertThat(refusal.exception().getLimit()).isEqualTo(LIMIT);
		assertThat(refusal.exception().getTokens()).isEqualTo(3);
		assertThat(refusal.exception().getAvailableTokens()).isEqualTo(1);
		assertThat(refusal.exception().getRetryAfter()).isEqualTo(Duration.ofMillis(200));
	}

	@Test
	void reportsARefusalOnceHoweverOftenItIsAskedFor() {
		this.limiter.bucket().tryAcquire(4);
		RateLimitAdmission admission = ask(null, 3, Duration.ZERO);
		RateLimitRefusal refusal = admission.await();
		assertThat(admission.await()).isSameAs(refusal);
		assertThat(admission.whenAdmitted().toCompletableFuture()).isCompletedWithValue(Optional.of(refusal));
		admission.cancel();
		assertThat(admission.admit()).isFalse();
		assertThat(this.journal.entries()).containsExactly("orders: allowed 4", "orders: rejected 3");
		assertThat(this.notes.decisions())
			.containsExactly(new RateLimitDecision("orders", LIMIT, 1, false, Duration.ofMillis(200)));
	}

	@Test
	void refusesForEverACallForMoreThanTheCapacity() {
		this.limiter.bucket("alice").tryAcquire(2);
		RateLimitRefusal refusal = ask("alice", 6, LONG).await();
		assertThat(refusal).isNotNull();
		assertThat(refusal.exception().getRetryAfter()).isNull();
		assertThat(refusal.exception()).hasMessageContaining("it can never pass");
		assertThat(this.notes.decisions()).containsExactly(new RateLimitDecision("orders", LIMIT, 3, false, null));
		assertThat(this.journal.entries()).endsWith("orders[alice]: rejected 6");
	}

	@Test
	void admitsACallForTheWholeCapacity() {
		assertThat(ask(null, 5, Duration.ZERO).await()).isNull();
	}

	@Test
	void refusesForEverWithoutAThreadToo() {
		assertThat(askAsync(null, 6, LONG).whenAdmitted().toCompletableFuture())
			.isCompletedWithValueMatching((refused) -> refused.orElseThrow().exception().getRetryAfter() == null);
		assertThat(askAsync(null, 5, LONG).whenAdmitted().toCompletableFuture()).isCompletedWithValue(Optional.empty());
	}

	@Test
	void refusesACallWhoseTokensTheStoreHasJustBeenToldNotToHold() {
		TokenBucketStore.Buckets lowered = new LocalTokenBucketStore(this.time)
			.open(RateLimiterSettings.of("orders", LIMIT));
		RateLimiter limiter = new RateLimiter(RateLimiterSettings.of("orders", RateLimit.perSecond(20)),
				new FixedStore(lowered), this.time, this.journal);
		RateLimitRequest request = new RateLimitRequest(limiter, null, 10, 0);
		assertThat(RateLimitAdmission.request(List.of(request), null).await()).isNotNull();
		assertThat(RateLimitAdmission.requestAsync(List.of(request), null)
			.thenCompose(RateLimitAdmission::whenAdmitted)
			.toCompletableFuture()).isCompletedWithValueMatching(Optional::isPresent);
		assertThat(this.journal.entries()).containsExactly("orders: rejected 10", "orders: rejected 10");
	}

	@Test
	void waitsForTheTokensAndReportsHowLong() {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		RateLimiter limiter = settings("orders", LIMIT).limiter(advancing, this.journal);
		limiter.bucket().tryAcquire(5);
		assertThat(ask(limiter, null, 2, LONG).await()).isNull();
		assertThat(advancing.nanos()).isEqualTo(Duration.ofMillis(200).toNanos());
		assertThat(this.journal.entries()).endsWith("orders: allowed 2 after 200ms");
		assertThat(limiter.waiters()).isZero();
	}

	@Test
	void completesItsStageWhenTheTokensAreThere() {
		this.limiter.bucket().tryAcquire(5);
		RateLimitAdmission admission = askAsync(null, 2, LONG);
		CompletableFuture<Optional<RateLimitRefusal>> admitted = admission.whenAdmitted().toCompletableFuture();
		assertThat(this.limiter.waiters()).isEqualTo(1);
		this.time.advance(Duration.ofMillis(199));
		assertThat(admitted).isNotDone();
		this.time.advance(Duration.ofMillis(1));
		assertThat(admitted).isCompletedWithValue(Optional.empty());
		assertThat(this.limiter.waiters()).isZero();
	}

	@Test
	void reportsTheWaitForTheTokensAndNotForTheCallToProceed() {
		this.limiter.bucket().tryAcquire(5);
		RateLimitAdmission admission = askAsync(null, 2, LONG);
		admission.whenAdmitted();
		this.time.advance(Duration.ofMillis(200));
		this.time.advance(LONG);
		admission.admit();
		assertThat(this.journal.entries()).endsWith("orders: allowed 2 after 200ms");
	}

	@Test
	void isAdmittedOnce() {
		RateLimitAdmission admission = ask(null, 2, LONG);
		assertThat(admission.admit()).isTrue();
		assertThat(admission.admit()).isFalse();
		assertThat(this.journal.entries()).containsExactly("orders: allowed 2");
	}

	@Test
	void keepsTheTokensOfAnAdmittedCall() {
		RateLimitAdmission admission = ask(null, 2, LONG);
		admission.admit();
		admission.cancel();
		assertThat(this.limiter.bucket().availableTokens()).isEqualTo(3);
	}

	@Test
	void givesTheTokensOfACancelledCallBack() {
		RateLimitAdmission admission = ask(null, 2, LONG);
		admission.cancel();
		assertThat(this.limiter.bucket().availableTokens()).isEqualTo(5);
		assertThat(admission.admit()).isFalse();
	}

	@Test
	void givesThePlaceOfACancelledCallUp() {
		this.limiter.bucket().tryAcquire(5);
		RateLimitAdmission first = ask(null, 2, LONG);
		Reservation second = this.limiter.bucket().reserve(3, LONG);
		assertThat(this.limiter.waiters()).isEqualTo(1);
		first.cancel();
		assertThat(this.limiter.waiters()).isZero();
		assertThat(second.waitTime()).isEqualTo(Duration.ofMillis(300));
		assertThat(this.journal.entries()).endsWith("orders: cancelled 2");
	}

	@Test
	void failsTheStageOfACancelledCall() {
		this.limiter.bucket().tryAcquire(5);
		RateLimitAdmission admission = ask(null, 2, LONG);
		CompletableFuture<Optional<RateLimitRefusal>> admitted = admission.whenAdmitted().toCompletableFuture();
		admission.cancel();
		assertThat(Callers.failureOf(admitted)).isInstanceOf(CancellationException.class);
	}

	@Test
	void throwsAtTheThreadOfACancelledCall() {
		this.limiter.bucket().tryAcquire(5);
		RateLimitAdmission admission = ask(null, 2, LONG);
		admission.cancel();
		assertThatExceptionOfType(CancellationException.class).isThrownBy(admission::await);
	}

	@Test
	void refusesAWaitingCallWhoseWaitHasBecomeTooLong() throws Exception {
		this.limiter.bucket().tryAcquire(5);
		RateLimitAdmission admission = ask(null, 2, Duration.ofSeconds(1));
		Callers.Caller<RateLimitRefusal> caller = this.callers.startAndPark(this.time, admission::await);
		this.limiter.change(RateLimit.of(1, Duration.ofSeconds(1), 5));
		assertThat(caller.result().exception().getRetryAfter()).isEqualTo(Duration.ofSeconds(2));
		assertThat(this.limiter.waiters()).isZero();
		assertThat(this.journal.entries()).endsWith("orders: rejected 2");
	}

	@Test
	void completesItsStageWithARefusalWhenTheWaitHasBecomeTooLong() {
		this.limiter.bucket().tryAcquire(5);
		CompletableFuture<Optional<RateLimitRefusal>> admitted = askAsync(null, 2, Duration.ofSeconds(1)).whenAdmitted()
			.toCompletableFuture();
		this.limiter.change(RateLimit.of(1, Duration.ofSeconds(1), 5));
		assertThat(admitted).isCompletedWithValueMatching(Optional::isPresent);
		assertThat(this.limiter.waiters()).isZero();
		assertThat(this.journal.entries()).containsExactly("orders: allowed 5", "orders: rejected 2");
	}

	@Test
	void throwsAtAnInterruptedThreadAndLeavesItsFlagSet() throws Exception {
		this.limiter.bucket().tryAcquire(5);
		RateLimitAdmission admission = ask(null, 2, LONG);
		Callers.Caller<Boolean> caller = this.callers.startAndPark(this.time, () -> {
			assertThatExceptionOfType(RateLimitWaitInterruptedException.class).isThrownBy(admission::await)
				.withMessage("The wait for rate limit 'orders' ended early: the thread was interrupted")
				.satisfies((ex) -> assertThat(ex.getBucketName()).isEqualTo("orders"));
			return Thread.interrupted();
		});
		caller.thread().interrupt();
		assertThat(caller.result()).isTrue();
		assertThat(this.limiter.waiters()).isZero();
		assertThat(this.limiter.bucket().reserve(1, Duration.ZERO).waitTime()).isEqualTo(Duration.ofMillis(100));
	}

	@Test
	void letsNoMoreCallsWaitThanMay() {
		RateLimiter limiter = settings("orders", LIMIT).maxWaiters(1).limiter(this.time, this.journal);
		limiter.bucket().tryAcquire(5);
		RateLimitAdmission first = ask(limiter, null, 1, LONG);
		assertThat(ask(limiter, null, 1, LONG).await()).isNotNull();
		assertThat(limiter.bucket().reserve(1, LONG).granted()).isFalse();
		assertThat(limiter.waiters()).isEqualTo(1);
		first.cancel();
		RateLimitAdmission next = ask(limiter, null, 1, LONG);
		assertThat(limiter.waiters()).isEqualTo(1);
		next.cancel();
	}

	@Test
	void letsNoCallWaitWhereNoneMay() {
		RateLimiter limiter = settings("orders", LIMIT).maxWaiters(0).limiter(this.time, this.journal);
		assertThat(ask(limiter, null, 5, LONG).await()).isNull();
		assertThat(ask(limiter, null, 1, LONG).await()).isNotNull();
	}

	@Test
	void refusesTheSecondOfTwoCallsThatAskedWhenThereWasAPlaceForOne() {
		AskedLaterBuckets buckets = new AskedLaterBuckets(this.time, LIMIT);
		RateLimiter limiter = new RateLimiter(settings("orders", LIMIT).maxWaiters(1).build(), new FixedStore(buckets),
				this.time, this.journal);
		limiter.bucket().tryAcquire(5);
		RateLimitRequest request = new RateLimitRequest(limiter, null, 1, LONG.toNanos());
		CompletableFuture<Optional<RateLimitRefusal>> first = RateLimitAdmission.requestAsync(List.of(request), null)
			.thenCompose(RateLimitAdmission::whenAdmitted)
			.toCompletableFuture();
		CompletableFuture<Optional<RateLimitRefusal>> second = RateLimitAdmission.requestAsync(List.of(request), null)
			.thenCompose(RateLimitAdmission::whenAdmitted)
			.toCompletableFuture();
		buckets.answer();
		assertThat(first).isNotDone();
		assertThat(second).isCompletedWithValueMatching(Optional::isPresent);
		assertThat(limiter.waiters()).isEqualTo(1);
		assertThat(limiter.bucket().reserve(1, Duration.ZERO).waitTime()).isEqualTo(Duration.ofMillis(200));
	}

	@Test
	void asksSeveralLimitsAtTheSameTimeAndGivesAllBackWhereOneRefuses() {
		AskedLaterBuckets wide = new AskedLaterBuckets(this.time, LIMIT);
		AskedLaterBuckets narrow = new AskedLaterBuckets(this.time, LIMIT);
		RateLimiter one = new RateLimiter(settings("wide", LIMIT).build(), new FixedStore(wide), this.time,
				this.journal);
		RateLimiter other = new RateLimiter(settings("narrow", LIMIT).build(), new FixedStore(narrow), this.time,
				this.journal);
		narrow.tryAcquire(null, 5);
		CompletableFuture<Optional<RateLimitRefusal>> asked = RateLimitAdmission
			.requestAsync(List.of(new RateLimitRequest(one, null, 1, 0), new RateLimitRequest(other, null, 1, 0)), null)
			.thenCompose(RateLimitAdmission::whenAdmitted)
			.toCompletableFuture();
		narrow.answer();
		assertThat(asked).isNotDone();
		wide.answer();
		assertThat(asked).isCompletedWithValueMatching(Optional::isPresent);
		assertThat(wide.availableTokens(null)).isEqualTo(5);
	}

	@Test
	void letsACallOfAnUnlimitedKeyPassAndReportsItAsExempt() {
		RateLimiter limiter = settings("orders", LIMIT).unlimited("batch").limiter(this.time, this.journal);
		limiter.bucket("batch").tryAcquire(1);
		assertThat(ask(limiter, "batch", 9, Duration.ZERO).await()).isNull();
		RateLimitAdmission later = RateLimitAdmission
			.requestAsync(List.of(new RateLimitRequest(limiter, "batch", 8, 0)), null)
			.toCompletableFuture()
			.join();
		assertThat(later.whenAdmitted().toCompletableFuture()).isCompletedWithValue(Optional.empty());
		later.admit();
		assertThat(this.journal.entries()).containsExactly("orders[batch]: exempt 1", "orders[batch]: exempt 9",
				"orders[batch]: exempt 8");
	}

	@Test
	void letsEveryCallPassUncountedWhenTheLimitIsSwitchedOff() {
		RateLimiter limiter = settings("orders", LIMIT).disabled().limiter(this.time, this.journal);
		assertThat(ask(limiter, null, 5, Duration.ZERO).await()).isNull();
		assertThat(ask(limiter, null, 5, Duration.ZERO).await()).isNull();
		assertThat(limiter.bucket().availableTokens()).isEqualTo(5);
		assertThat(this.journal.entries()).isEmpty();
	}

	private RateLimitAdmission ask(String key, long tokens, Duration maxWait) {
		return ask(this.limiter, key, tokens, maxWait);
	}

	private RateLimitAdmission ask(RateLimiter limiter, String key, long tokens, Duration maxWait) {
		return RateLimitAdmission.request(List.of(new RateLimitRequest(limiter, key, tokens, maxWait.toNanos())),
				this.notes);
	}

	private RateLimitAdmission askAsync(String key, long tokens, Duration maxWait) {
		RateLimitRequest request = new RateLimitRequest(this.limiter, key, tokens, maxWait.toNanos());
		return RateLimitAdmission.requestAsync(List.of(request), this.notes).toCompletableFuture().join();
	}

}
