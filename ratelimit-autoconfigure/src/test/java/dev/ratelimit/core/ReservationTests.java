package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the {@link Reservation} of a bucket in memory.
 */
@Timeout(60)
class ReservationTests {

	private static final Duration LONG = Duration.ofHours(1);

	private final ManualTimeSource clock = new ManualTimeSource();

	private final TokenBucket bucket = TokenBucket.create(RateLimit.of(10, Duration.ofSeconds(1), 5), this.clock);

	@Test
	void isGrantedForNowWhenTheTokensAreThere() {
		Reservation reservation = this.bucket.reserve(5, Duration.ZERO);
		assertThat(reservation.granted()).isTrue();
		assertThat(reservation.waitTime()).isZero();
	}

	@Test
	void isNotSetToAnotherAlarmForEachThatIsCancelledAhead() {
		CountingTimeSource time = new CountingTimeSource(this.clock);
		TokenBucket bucket = TokenBucket.create(RateLimit.of(10, Duration.ofSeconds(1), 1), time);
		bucket.tryAcquire();
		List<Reservation> reservations = Stream.generate(() -> bucket.reserve(1, LONG)).limit(200).toList();
		List<CompletableFuture<Boolean>> stages = reservations.stream()
			.map((reservation) -> reservation.whenUsable().toCompletableFuture())
			.toList();
		reservations.subList(0, 100).forEach(Reservation::cancel);
		assertThat(time.alarms).isLessThanOrEqualTo(2 * 200);
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(stages.subList(100, 200)).allSatisfy((stage) -> assertThat(stage).isCompletedWithValue(true));
	}

	@Test
	void isGrantedForLaterWhenTheWaitFits() {
		this.bucket.tryAcquire(5);
		Reservation reservation = this.bucket.reserve(2, Duration.ofMillis(200));
		assertThat(reservation.granted()).isTrue();
		assertThat(reservation.waitTime()).isEqualTo(Duration.ofMillis(200));
	}

	@Test
	void isRefusedWhenTheWaitDoesNotFit() {
		this.bucket.tryAcquire(5);
		Reservation reservation = this.bucket.reserve(2, Duration.ofMillis(199));
		assertThat(reservation.granted()).isFalse();
		assertThat(reservation.waitTime()).isEqualTo(Duration.ofMillis(200));
	}

	@Test
	void isRefusedForTheTimeThatThoseAheadNeedToo() {
		this.bucket.tryAcquire(5);
		this.bucket.reserve(3, LONG);
		assertThat(this.bucket.reserve(2, Duration.ZERO).waitTime()).isEqualTo(Duration.ofMillis(500));
	}

	@Test
	void keepsItsWaitTimeWhileTheClockMoves() {
		this.bucket.tryAcquire(5);
		Reservation reservation = this.bucket.reserve(2, LONG);
		this.clock.advance(Duration.ofMillis(150));
		assertThat(reservation.waitTime()).isEqualTo(Duration.ofMillis(200));
		this.clock.advance(Duration.ofMillis(150));
		assertThat(reservation.waitTime()).isEqualTo(Duration.ofMillis(200));
	}

	@Test
	void keepsTheWaitTimeOfARefusal() {
		this.bucket.tryAcquire(5);
		Reservation ahead = this.bucket.reserve(3, LONG);
		Reservation refused = this.bucket.reserve(2, Duration.ZERO);
		ahead.cancel();
		this.clock.advance(LONG);
		assertThat(refused.waitTime()).isEqualTo(Duration.ofMillis(500));
	}

	@Test
	void tellsWhatTheBucketHeldAfterAGrant() {
		assertThat(this.bucket.reserve(2, Duration.ZERO).availableTokens()).isEqualTo(3);
	}

	@Test
	void tellsWhatTheBucketHeldAfterARefusal() {
		this.bucket.tryAcquire(3);
		assertThat(this.bucket.reserve(4, Duration.ZERO).availableTokens()).isEqualTo(2);
	}

	@Test
	void tellsThatTheBucketHeldNothingWhileCallsWait() {
		this.bucket.tryAcquire(3);
		assertThat(this.bucket.reserve(4, LONG).availableTokens()).isZero();
	}

	@Test
	void isUsableAtOnceWhenGrantedForNow() throws InterruptedException {
		Reservation reservation = this.bucket.reserve(5, Duration.ZERO);
		assertThat(reservation.await()).isTrue();
		assertThat(reservation.whenUsable().toCompletableFuture()).isCompletedWithValue(true);
	}

	@Test
	void isUsableOnceItsInstantHasPassed() throws InterruptedException {
		this.bucket.tryAcquire(5);
		Reservation reservation = this.bucket.reserve(2, LONG);
		this.clock.advance(Duration.ofMillis(200));
		assertThat(reservation.await()).isTrue();
		assertThat(reservation.whenUsable().toCompletableFuture()).isCompletedWithValue(true);
	}

	@Test
	void isNeverUsableWhenRefused() throws InterruptedException {
		this.bucket.tryAcquire(5);
		Reservation reservation = this.bucket.reserve(2, Duration.ZERO);
		assertThat(reservation.await()).isFalse();
		assertThat(reservation.whenUsable().toCompletableFuture()).isCompletedWithValue(false);
	}

	@Test
	void cannotBeUsedAfterItWasCancelledWhileItWaited() {
		this.bucket.tryAcquire(5);
		Reservation reservation = this.bucket.reserve(2, LONG);
		reservation.cancel();
		assertThatExceptionOfType(CancellationException.class).isThrownBy(reservation::await);
		assertThat(Callers.failureOf(reservation.whenUsable())).isInstanceOf(CancellationException.class);
	}

	@Test
	void cannotBeUsedAfterItWasCancelledWhenGranted() {
		Reservation reservation = this.bucket.reserve(2, LONG);
		reservation.cancel();
		assertThatExceptionOfType(CancellationException.class).isThrownBy(reservation::await);
		assertThat(Callers.failureOf(reservation.whenUsable())).isInstanceOf(CancellationException.class);
	}

	@Test
	void givesItsTokensBackOnCancellation() {
		Reservation reservation = this.bucket.reserve(2, LONG);
		reservation.cancel();
		assertThat(this.bucket.availableTokens()).isEqualTo(5);
	}

	@Test
	void givesItsTokensBackOnce() {
		this.bucket.tryAcquire(3);
		Reservation reservation = this.bucket.reserve(2, LONG);
		reservation.cancel();
		reservation.cancel();
		assertThat(this.bucket.availableTokens()).isEqualTo(2);
	}

	@Test
	void givesItsPlaceBackOnce() {
		this.bucket.tryAcquire(5);
		Reservation first = this.bucket.reserve(2, LONG);
		Reservation second = this.bucket.reserve(5, LONG);
		first.cancel();
		first.cancel();
		assertThat(second.waitTime()).isEqualTo(Duration.ofMillis(500));
	}

	@Test
	void givesItsTokensBackWithoutBlocking() {
		Reservation reservation = this.bucket.reserve(2, LONG);
		assertThat(reservation.cancelAsync().toCompletableFuture()).isCompleted();
		assertThat(this.bucket.availableTokens()).isEqualTo(5);
	}

	@Test
	void givesNothingBackWhenRefused() {
		this.bucket.tryAcquire(5);
		Reservation reservation = this.bucket.reserve(2, Duration.ZERO);
		reservation.cancel();
		assertThat(this.bucket.availableTokens()).isZero();
	}

	@Test
	void staysRefusedAfterCancellation() throws InterruptedException {
		this.bucket.tryAcquire(5);
		Reservation reservation = this.bucket.reserve(2, Duration.ZERO);
		reservation.cancel();
		assertThat(reservation.granted()).isFalse();
		assertThat(reservation.await()).isFalse();
	}

	@Test
	void isUntouchedByTheCancellationOfItsStage() {
		this.bucket.tryAcquire(5);
		Reservation reservation = this.bucket.reserve(2, LONG);
		reservation.whenUsable().toCompletableFuture().cancel(true);
		CompletableFuture<Boolean> usable = reservation.whenUsable().toCompletableFuture();
		assertThat(this.bucket.reserve(1, LONG).waitTime()).isEqualTo(Duration.ofMillis(300));
		this.clock.advance(Duration.ofMillis(200));
		assertThat(usable).isCompletedWithValue(true);
	}

	@Test
	void isUntouchedByTheCompletionOfItsStage() {
		this.bucket.tryAcquire(5);
		Reservation reservation = this.bucket.reserve(2, LONG);
		reservation.whenUsable().toCompletableFuture().complete(true);
		assertThat(reservation.whenUsable().toCompletableFuture()).isNotDone();
	}

	@Test
	void completesEveryStageItHandedOut() {
		this.bucket.tryAcquire(5);
		Reservation reservation = this.bucket.reserve(2, LONG);
		CompletableFuture<Boolean> first = reservation.whenUsable().toCompletableFuture();
		CompletableFuture<Boolean> second = reservation.whenUsable().toCompletableFuture();
		this.clock.advance(Duration.ofMillis(200));
		assertThat(first).isCompletedWithValue(true);
		assertThat(second).isCompletedWithValue(true);
	}

	@Test
	void stillCancelsWhenAFollowerOfItsStageFails() {
		this.bucket.tryAcquire(5);
		Reservation first = this.bucket.reserve(1, LONG);
		CompletableFuture<Boolean> second = this.bucket.reserve(1, LONG).whenUsable().toCompletableFuture();
		first.whenUsable().thenRun(() -> {
			throw new IllegalStateException("a follower's own problem");
		});
		this.clock.advance(Duration.ofMillis(200));
		assertThat(second).isCompletedWithValue(true);
	}

	private static final class CountingTimeSource implements TimeSource {

		private final TimeSource delegate;

		private int alarms;

		private CountingTimeSource(TimeSource delegate) {
			this.delegate = delegate;
		}

		@Override
		public long nanos() {
			return this.delegate.nanos();
		}

		@Override
		public void parkUntil(long instant) {
			this.delegate.parkUntil(instant);
		}

		@Override
		public Scheduled runAt(long instant, Runnable task) {
			this.alarms++;
			return this.delegate.runAt(instant, task);
		}

	}

}
