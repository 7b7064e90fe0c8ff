package dev.ratelimit.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests of calls that wait for their tokens.
 */
@Timeout(60)
class WaitingTests {

	private static final Duration LONG = Duration.ofHours(1);

	private final ManualTimeSource clock = new ManualTimeSource();

	private final Callers callers = new Callers();

	@AfterEach
	void endThreads() throws InterruptedException {
		this.callers.endAll();
	}

	@Test
	void areDueInOrderOfArrival() {
		TokenBucket bucket = drained(10, 10);
		assertThat(reserve(bucket, 1, 3, 2, 10)).extracting(Reservation::waitTime)
			.containsExactly(millis(100), millis(400), millis(600), millis(1600));
	}

	@Test
	void areNotOvertakenByCallsThatWouldFit() {
		TokenBucket bucket = drained(10, 10);
		bucket.reserve(10, LONG);
		this.clock.advance(millis(500));
		assertThat(bucket.tryAcquire(1)).isFalse();
		assertThat(bucket.availableTokens()).isZero();
	}

	@Test
	void areRefusedAtOnceWhenTheWaitIsLongerThanTheLongest() throws InterruptedException {
		TokenBucket bucket = drained(10, 10);
		assertThat(bucket.tryAcquire(3, millis(299))).isFalse();
		assertThat(this.clock.nanos()).isZero();
	}

	@Test
	void takeNothingWhenRefused() {
		TokenBucket bucket = drained(10, 10);
		bucket.reserve(3, millis(299));
		assertThat(bucket.reserve(1, LONG).waitTime()).isEqualTo(millis(100));
	}

	@Test
	void letACheaperCallPassByAHopelessOne() {
		TokenBucket bucket = drained(10, 10);
		assertThat(bucket.reserve(10, millis(500)).granted()).isFalse();
		assertThat(bucket.reserve(5, millis(500)).granted()).isTrue();
	}

	@Test
	void areRefusedAtOnceWhenTheLongestWaitIsZero() throws InterruptedException {
		TokenBucket bucket = drained(10, 10);
		assertThat(bucket.tryAcquire(1, Duration.ZERO)).isFalse();
	}

	@Test
	void areRefusedAtOnceWhenTheLongestWaitIsNegative() throws InterruptedException {
		TokenBucket bucket = drained(10, 10);
		assertThat(bucket.tryAcquire(1, Duration.ofSeconds(Long.MIN_VALUE))).isFalse();
	}

	@Test
	void passAtOnceWithoutWaitingWhenTheTokensAreThereAndTheLongestWaitIsZero() throws InterruptedException {
		TokenBucket bucket = TokenBucket.create(RateLimit.perSecond(10), this.clock);
		assertThat(bucket.tryAcquire(10, Duration.ZERO)).isTrue();
	}

	@Test
	void mayBeAsLongAsADurationCanSay() {
		TokenBucket bucket = drained(10, 10);
		Reservation reservation = bucket.reserve(1, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
		assertThat(reservation.granted()).isTrue();
		assertThat(reservation.waitTime()).isEqualTo(millis(100));
	}

	@Test
	void passWhenTheClockReachesTheirInstant() throws Exception {
		TokenBucket bucket = drained(10, 1);
		Callers.Caller<Boolean> caller = this.callers.startAndPark(this.clock, () -> bucket.tryAcquire(1, LONG));
		this.clock.advance(millis(99));
		assertThat(caller.done()).isFalse();
		this.clock.advance(millis(1));
		assertThat(caller.result()).isTrue();
	}

	@Test
	void passOneAfterTheOtherInOrderOfArrival() throws Exception {
		TokenBucket bucket = drained(10, 1);
		List<Callers.Caller<Boolean>> waiting = park(bucket, 5);
		for (int i = 0; i < 5; i++) {
			this.clock.advance(millis(100));
			assertThat(waiting.get(i).result()).isTrue();
			assertThat(waiting.stream().filter(Callers.Caller::done)).hasSize(i + 1);
		}
	}

	@Test
	void moveTheClockThatAdvancesByItselfExactlyToTheirInstant() throws InterruptedException {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		TokenBucket bucket = TokenBucket.create(RateLimit.of(10, Duration.ofSeconds(1), 10), advancing);
		for (int i = 0; i < 20; i++) {
			bucket.acquire();
		}
		assertThat(advancing.nanos()).isEqualTo(millis(1000).toNanos());
	}

	@Test
	void moveTheClockThatAdvancesByItselfToTheNanosecondAfterAFractionOfOne() throws InterruptedException {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		TokenBucket bucket = TokenBucket.create(RateLimit.of(3, Duration.ofSeconds(1), 1), advancing);
		bucket.acquire();
		bucket.acquire();
		assertThat(advancing.nanos()).isEqualTo(333_333_334);
		bucket.acquire();
		assertThat(advancing.nanos()).isEqualTo(666_666_667);
		bucket.acquire();
		assertThat(advancing.nanos()).isEqualTo(1_000_000_000);
	}

	@Test
	void surviveSpuriousWakeUps() throws Exception {
		TokenBucket bucket = drained(10, 1);
		Callers.Caller<Boolean> caller = this.callers.startAndPark(this.clock, () -> bucket.tryAcquire(1, LONG));
		for (int i = 0; i < 1_000; i++) {
			LockSupport.unpark(caller.thread());
			Thread.yield();
		}
		assertThat(caller.done()).isFalse();
		Callers.until(() -> this.clock.waiters() == 1, "parked again");
		this.clock.advance(millis(100));
		assertThat(caller.result()).isTrue();
	}

	@Test
	void areNotGrantedBeyondAHundredYears() {
		TokenBucket bucket = TokenBucket.create(RateLimit.of(1, Duration.ofDays(365), 200), this.clock);
		bucket.tryAcquire(200);
		assertThat(bucket.reserve(90, Duration.ofDays(365 * 95)).granted()).isTrue();
		assertThatIllegalStateException().isThrownBy(() -> bucket.acquire(200));
		assertThat(bucket.reserve(1, LONG).waitTime()).isCloseTo(Duration.ofDays(365 * 91), Duration.ofNanos(2));
	}

	@Test
	void areRefusedBeforeTheyOweMoreThanANumberCanHold() {
		TokenBucket bucket = TokenBucket
			.create(RateLimit.of(4_000_000_000.0, Duration.ofSeconds(1), RateLimit.MAX_CAPACITY), this.clock);
		bucket.tryAcquire(RateLimit.MAX_CAPACITY);
		Duration last = Duration.ZERO;
		Reservation reservation = bucket.reserve(RateLimit.MAX_CAPACITY, Duration.ofDays(100 * 365));
		for (int i = 0; i < 5_000 && reservation.granted(); i++) {
			assertThat(reservation.waitTime()).isGreaterThan(last);
			last = reservation.waitTime();
			reservation = bucket.reserve(RateLimit.MAX_CAPACITY, Duration.ofDays(100 * 365));
		}
		assertThat(reservation.granted()).isFalse();
		assertThat(bucket.tryAcquire()).isFalse();
	}

	@Test
	void throwWhenInterruptedOnEntry() {
		TokenBucket bucket = TokenBucket.create(RateLimit.perSecond(10), this.clock);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> bucket.tryAcquire(1, LONG));
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(bucket::acquire);
		assertThat(Thread.interrupted()).isFalse();
		assertThat(bucket.availableTokens()).isEqualTo(10);
	}

	@Test
	void throwWhenInterrupted() {
		TokenBucket bucket = drained(10, 1);
		Callers.Caller<Boolean> caller = this.callers.startAndPark(this.clock, () -> bucket.tryAcquire(1, LONG));
		caller.thread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(caller::result);
	}

	@Test
	void giveTheirTokensBackWhenInterrupted() {
		TokenBucket bucket = drained(10, 10);
		Callers.Caller<Boolean> caller = this.callers.startAndPark(this.clock, () -> bucket.tryAcquire(10, LONG));
		caller.thread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(caller::result);
		assertThat(bucket.reserve(1, LONG).waitTime()).isEqualTo(millis(100));
	}

	@Test
	void leaveTheRefillToOthersWhenInterruptedHalfWay() {
		TokenBucket bucket = drained(10, 10);
		Callers.Caller<Boolean> caller = this.callers.startAndPark(this.clock, () -> bucket.tryAcquire(10, LONG));
		this.clock.advance(millis(500));
		assertThat(bucket.availableTokens()).isZero();
		caller.thread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(caller::result);
		assertThat(bucket.availableTokens()).isEqualTo(5);
	}

	@Test
	void leaveTheClockWhenInterrupted() {
		TokenBucket bucket = drained(10, 1);
		Callers.Caller<Boolean> caller = this.callers.startAndPark(this.clock, () -> bucket.tryAcquire(1, LONG));
		caller.thread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(caller::result);
		assertThat(this.clock.waiters()).isZero();
	}

	@Test
	void handTheirPlaceOnWhenInterrupted() throws Exception {
		TokenBucket bucket = drained(10, 1);
		List<Callers.Caller<Boolean>> waiting = park(bucket, 3);
		waiting.get(0).thread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiting.get(0)::result);
		this.clock.advance(millis(100));
		assertThat(waiting.get(1).result()).isTrue();
		assertThat(waiting.get(2).done()).isFalse();
		this.clock.advance(millis(100));
		assertThat(waiting.get(2).result()).isTrue();
	}

	@Test
	void handTheirPlaceOnWhenCancelled() {
		TokenBucket bucket = drained(10, 1);
		List<Reservation> waiting = reserve(bucket, 1, 1, 1, 1);
		waiting.get(1).cancel();
		assertThat(waiting.get(0).waitTime()).isEqualTo(millis(100));
		assertThat(waiting.get(2).waitTime()).isEqualTo(millis(200));
		assertThat(waiting.get(3).waitTime()).isEqualTo(millis(300));
		assertThat(bucket.reserve(1, LONG).waitTime()).isEqualTo(millis(400));
	}

	@Test
	void measureAShorterWaitFromTheirOwnAnswer() {
		TokenBucket bucket = drained(10, 1);
		Reservation first = bucket.reserve(1, LONG);
		this.clock.advance(millis(40));
		Reservation second = bucket.reserve(1, LONG);
		assertThat(second.waitTime()).isEqualTo(millis(160));
		this.clock.advance(millis(20));
		first.cancel();
		assertThat(second.waitTime()).isEqualTo(millis(60));
	}

	@Test
	void passAtOnceWhenTheCallAheadIsCancelledAndTheTokensAreThere() throws Exception {
		TokenBucket bucket = drained(10, 10);
		Reservation expensive = bucket.reserve(10, LONG);
		Callers.Caller<Boolean> cheap = this.callers.startAndPark(this.clock, () -> bucket.tryAcquire(1, LONG));
		this.clock.advance(millis(500));
		assertThat(cheap.done()).isFalse();
		expensive.cancel();
		assertThat(cheap.result()).isTrue();
		assertThat(bucket.availableTokens()).isEqualTo(4);
	}

	@Test
	void areThroughInHalfTheTimeWhenEverySecondIsCancelled() {
		TokenBucket bucket = drained(10, 1);
		List<Reservation> waiting = IntStream.range(0, 100).mapToObj((i) -> bucket.reserve(1, LONG)).toList();
		IntStream.range(0, 100).filter((i) -> i % 2 == 0).forEach((i) -> waiting.get(i).cancel());
		List<Reservation> left = IntStream.range(0, 100).filter((i) -> i % 2 == 1).mapToObj(waiting::get).toList();
		assertThat(left).extracting(Reservation::waitTime)
			.containsExactlyElementsOf(IntStream.rangeClosed(1, 50).mapToObj((i) -> millis(100L * i)).toList());
		assertThat(bucket.reserve(1, LONG).waitTime()).isEqualTo(millis(5_100));
	}

	@Test
	void areThroughInHalfTheTimeWhenEverySecondIsCancelledFromTheEnd() {
		TokenBucket bucket = drained(10, 1);
		List<Reservation> waiting = IntStream.range(0, 100).mapToObj((i) -> bucket.reserve(1, LONG)).toList();
		for (int i = 98; i >= 0; i -= 2) {
			waiting.get(i).cancel();
		}
		List<Reservation> left = IntStream.range(0, 50).mapToObj((i) -> waiting.get(2 * i + 1)).toList();
		assertThat(left).extracting(Reservation::waitTime)
			.containsExactlyElementsOf(IntStream.rangeClosed(1, 50).mapToObj((i) -> millis(100L * i)).toList());
	}

	@Test
	void areThroughInHalfTheTimeWhenEverySecondParkedThreadIsInterrupted() throws Exception {
		TokenBucket bucket = drained(10, 1);
		List<Callers.Caller<Boolean>> waiting = park(bucket, 20);
		for (int i = 0; i < 20; i += 2) {
			waiting.get(i).thread().interrupt();
			assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiting.get(i)::result);
		}
		for (int i = 1; i < 20; i += 2) {
			this.clock.advance(millis(100));
			assertThat(waiting.get(i).result()).isTrue();
			assertThat(waiting.stream().filter(Callers.Caller::done)).hasSize(10 + i / 2 + 1);
		}
	}

	@Test
	void areThroughInHalfTheTimeWhenEverySecondReservationOfAParkedThreadIsCancelled() throws Exception {
		TokenBucket bucket = drained(10, 1);
		List<Reservation> reservations = IntStream.range(0, 20).mapToObj((i) -> bucket.reserve(1, LONG)).toList();
		List<Callers.Caller<Boolean>> waiting = reservations.stream()
			.map((reservation) -> this.callers.startAndPark(this.clock, reservation::await))
			.toList();
		for (int i = 0; i < 20; i += 2) {
			reservations.get(i).cancel();
			assertThatExceptionOfType(CancellationException.class).isThrownBy(waiting.get(i)::result);
		}
		for (int i = 1; i < 20; i += 2) {
			this.clock.advance(millis(100));
			assertThat(waiting.get(i).result()).isTrue();
			assertThat(waiting.stream().filter(Callers.Caller::done)).hasSize(10 + i / 2 + 1);
		}
	}

	@Test
	void completeTheirStagesInHalfTheTimeAndInOrderWhenEverySecondIsCancelled() {
		TokenBucket bucket = drained(10, 1);
		List<Integer> passed = new ArrayList<>();
		List<Reservation> waiting = IntStream.range(0, 100).mapToObj((i) -> bucket.reserve(1, LONG)).toList();
		for (int i = 0; i < 100; i++) {
			int number = i;
			waiting.get(i).whenUsable().thenAccept((usable) -> passed.add(number));
		}
		IntStream.range(0, 100).filter((i) -> i % 2 == 0).forEach((i) -> waiting.get(i).cancel());
		for (int i = 1; i <= 50; i++) {
			this.clock.advance(millis(100));
			assertThat(passed).hasSize(i);
		}
		assertThat(passed).containsExactlyElementsOf(IntStream.range(0, 50).mapToObj((i) -> 2 * i + 1).toList());
	}

	@Test
	void completeTheirStagesEachAtItsOwnInstantInOneLeap() {
		TokenBucket bucket = drained(10, 1);
		List<Long> passed = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			bucket.reserve(1, LONG).whenUsable().thenAccept((usable) -> passed.add(this.clock.nanos() / 1_000_000));
		}
		this.clock.advance(LONG);
		assertThat(passed).containsExactly(100L, 200L, 300L, 400L, 500L);
	}

	@Test
	void completeTheirStageWithoutAThreadThatWaits() {
		TokenBucket bucket = drained(10, 1);
		CompletableFuture<Boolean> usable = bucket.reserve(1, LONG).whenUsable().toCompletableFuture();
		this.clock.advance(millis(99));
		assertThat(usable).isNotDone();
		this.clock.advance(millis(1));
		assertThat(usable).isCompletedWithValue(true);
	}

	@Test
	void completeTheirStageAtOnceWhenTheCallAheadIsCancelledAndTheTokensAreThere() {
		TokenBucket bucket = drained(10, 10);
		Reservation expensive = bucket.reserve(10, LONG);
		CompletableFuture<Boolean> cheap = bucket.reserve(1, LONG).whenUsable().toCompletableFuture();
		this.clock.advance(millis(500));
		expensive.cancel();
		assertThat(cheap).isCompletedWithValue(true);
	}

	@Test
	void completeTheirStagesInOrderOfArrivalWhenSeveralMoveUpAtOnce() {
		TokenBucket bucket = drained(10, 10);
		Reservation expensive = bucket.reserve(10, LONG);
		List<Integer> passed = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			int number = i;
			bucket.reserve(1, LONG).whenUsable().thenAccept((usable) -> passed.add(number));
		}
		this.clock.advance(millis(900));
		expensive.cancel();
		assertThat(passed).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
	}

	@Test
	void completeTheirStageInTimeWhenTheCallAheadIsCancelledWhileTheClockIsTold() {
		AtomicReference<Reservation> ahead = new AtomicReference<>();
		TokenBucket bucket = TokenBucket.create(RateLimit.of(10, Duration.ofSeconds(1), 1), new TimeSource() {

			@Override
			public long nanos() {
				return WaitingTests.this.clock.nanos();
			}

			@Override
			public void parkUntil(long instant) {
				WaitingTests.this.clock.parkUntil(instant);
			}

			@Override
			public Scheduled runAt(long instant, Runnable task) {
				Reservation reservation = ahead.getAndSet(null);
				if (reservation != null) {
					reservation.cancel();
				}
				return WaitingTests.this.clock.runAt(instant, task);
			}

		});
		bucket.tryAcquire();
		ahead.set(bucket.reserve(1, LONG));
		CompletableFuture<Boolean> usable = bucket.reserve(1, LONG).whenUsable().toCompletableFuture();
		this.clock.advance(millis(100));
		assertThat(usable).isCompletedWithValue(true);
	}

	@Test
	void leaveNoTaskInTheClockWhenTheirStageIsDone() {
		TokenBucket bucket = drained(10, 1);
		bucket.reserve(1, LONG).whenUsable();
		Reservation second = bucket.reserve(1, LONG);
		second.whenUsable();
		second.cancel();
		this.clock.advance(millis(100));
		assertThat(this.clock.waiters()).isZero();
	}

	@Test
	void leaveOneTaskEachInTheClockWhenTheyMoveUp() {
		TokenBucket bucket = drained(10, 1);
		List<Reservation> waiting = reserve(bucket, 1, 1, 1);
		waiting.forEach(Reservation::whenUsable);
		waiting.get(0).cancel();
		assertThat(this.clock.waiters()).isEqualTo(2);
	}

	@Test
	void areWokenByTheirCancellation() {
		TokenBucket bucket = drained(10, 1);
		Reservation reservation = bucket.reserve(1, LONG);
		Callers.Caller<Boolean> caller = this.callers.startAndPark(this.clock, reservation::await);
		reservation.cancel();
		assertThatExceptionOfType(CancellationException.class).isThrownBy(caller::result);
	}

	@Test
	void failTheirStageOnCancellation() {
		TokenBucket bucket = drained(10, 1);
		Reservation reservation = bucket.reserve(1, LONG);
		CompletableFuture<Boolean> usable = reservation.whenUsable().toCompletableFuture();
		reservation.cancel();
		assertThat(Callers.failureOf(usable)).isInstanceOf(CancellationException.class);
	}

	@Test
	void completeTheirStageOnAClockThatAdvancesByItself() {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		TokenBucket bucket = TokenBucket.create(RateLimit.of(10, Duration.ofSeconds(1), 1), advancing);
		bucket.tryAcquire();
		assertThat(bucket.reserve(1, LONG).whenUsable().toCompletableFuture()).isCompletedWithValue(true);
		assertThat(advancing.nanos()).isEqualTo(millis(100).toNanos());
	}

	@Test
	void leaveTheBucketAsIfACancelledCrowdHadNeverCome() {
		TokenBucket bucket = drained(10, 10);
		List<Reservation> crowd = IntStream.range(0, 1_000).mapToObj((i) -> bucket.reserve(1 + i % 10, LONG)).toList();
		crowd.forEach(Reservation::cancel);
		assertThat(bucket.reserve(1, LONG).waitTime()).isEqualTo(millis(100));
	}

	private TokenBucket drained(double rate, long capacity) {
		TokenBucket bucket = TokenBucket.create(RateLimit.of(rate, Duration.ofSeconds(1), capacity), this.clock);
		assertThat(bucket.tryAcquire(capacity)).isTrue();
		return bucket;
	}

	private List<Callers.Caller<Boolean>> park(TokenBucket bucket, int threads) {
		return IntStream.range(0, threads)
			.mapToObj((i) -> this.callers.startAndPark(this.clock, () -> bucket.tryAcquire(1, LONG)))
			.toList();
	}

	private static List<Reservation> reserve(TokenBucket bucket, long... costs) {
		return Arrays.stream(costs).mapToObj((tokens) -> bucket.reserve(tokens, LONG)).toList();
	}

	private static Duration millis(long millis) {
		return Duration.ofMillis(millis);
	}

}
