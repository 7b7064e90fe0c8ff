package dev.ratelimit.core;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * {@link Reservation} of a {@link LocalTokenBucket}. Its state and position belong to the
 * holder of the lock of the bucket's {@link ReservationQueue}.
 */
final class LocalReservation implements Reservation {

	private final LocalTokenBucket bucket;

	private final long tokens;

	private final long answeredAt;

	private final long maxWaitNanos;

	private final long availableTokens;

	private final boolean granted;

	private final AtomicReference<TimeSource.@Nullable Scheduled> alarm = new AtomicReference<>();

	private volatile State state;

	private @Nullable TokenClock clock;

	private long position;

	private long shifts;

	private boolean moved;

	private long waitNanos;

	private volatile @Nullable Thread thread;

	private volatile @Nullable CompletableFuture<Boolean> usable;

	private LocalReservation(LocalTokenBucket bucket, State state, long tokens, long answeredAt, long maxWaitNanos,
			long availableTokens) {
		this.bucket = bucket;
		this.state = state;
		this.tokens = tokens;
		this.answeredAt = answeredAt;
		this.maxWaitNanos = maxWaitNanos;
		this.availableTokens = availableTokens;
		this.granted = state != State.REFUSED;
	}

	static LocalReservation granted(LocalTokenBucket bucket, TokenClock clock, long tokens, long answeredAt,
			long position, long shifts, long availableTokens) {
		LocalReservation reservation = new LocalReservation(bucket, State.GRANTED, tokens, answeredAt, 0,
				availableTokens);
		reservation.clock = clock;
		reservation.position = position;
		reservation.shifts = shifts;
		return reservation;
	}

	static LocalReservation waiting(LocalTokenBucket bucket, long tokens, long answeredAt, long position,
			long maxWaitNanos) {
		LocalReservation reservation = new LocalReservation(bucket, State.WAITING, tokens, answeredAt, maxWaitNanos, 0);
		reservation.position = position;
		return reservation;
	}

	static LocalReservation refused(LocalTokenBucket bucket, long tokens, long answeredAt, long waitNanos,
			long availableTokens) {
		LocalReservation reservation = new LocalReservation(bucket, State.REFUSED, tokens, answeredAt, 0,
				availableTokens);
		reservation.waitNanos = waitNanos;
		return reservation;
	}

	@Override
	public boolean granted() {
		return this.granted;
	}

	@Override
	public Duration waitTime() {
		return Duration.ofNanos(this.bucket.waitNanos(this));
	}

	@Override
	public long availableTokens() {
		return this.availableTokens;
	}

	@Override
	public boolean await() throws InterruptedException {
		this.thread = Thread.currentThread();
		while (isWaiting()) {
			if (Thread.interrupted()) {
				cancel();
				throw new InterruptedException();
			}
			this.bucket.parkUntilDue(this);
		}
		return outcome();
	}

	@Override
	public CompletionStage<Boolean> whenUsable() {
		CompletableFuture<Boolean> usable = this.usable;
		if (usable == null) {
			synchronized (this.alarm) {
				usable = this.usable;
				if (usable == null) {
					usable = new CompletableFuture<>();
					this.usable = usable;
				}
			}
		}
		ring();
		return usable.minimalCompletionStage();
	}

	@Override
	public void cancel() {
		this.bucket.cancel(this);
	}

	/**
	 * Lets whoever waits for this reservation look at it again.
	 */
	void signal() {
		Thread thread = this.thread;
		if (thread != Thread.currentThread()) {
			LockSupport.unpark(thread);
		}
		if (this.usable != null) {
			ring();
		}
	}

	private boolean isWaiting() {
		return this.state == State.WAITING && !this.bucket.grantIfDue(this);
	}

	private boolean outcome() {
		if (this.state == State.CANCELLED) {
			throw new CancellationException("the reservation was cancelled");
		}
		return this.state == State.GRANTED;
	}

	private void ring() {
		while (isWaiting()) {
			long due = this.bucket.dueAt(this);
			TimeSource.Scheduled next = this.bucket.runAt(due, this::ring);
			TimeSource.Scheduled previous = this.alarm.getAndSet(next);
			if (previous != null) {
				previous.cancel();
			}
			if (this.state == State.WAITING && this.bucket.dueAt(this) == due) {
				return;
			}
		}
		TimeSource.Scheduled alarm = this.alarm.getAndSet(null);
		if (alarm != null) {
			alarm.cancel();
		}
		CompletableFuture<Boolean> usable = this.usable;
		if (usable != null) {
			complete(usable);
		}
	}

	private void complete(CompletableFuture<Boolean> usable) {
		try {
			usable.complete(outcome());
		}
		catch (CancellationException ex) {
			usable.completeExceptionally(ex);
		}
	}

	// For the holder of the lock

	State state() {
		return this.state;
	}

	long tokens() {
		return this.tokens;
	}

	long position() {
		return this.position;
	}

	long shifts() {
		return this.shifts;
	}

	long answeredAt() {
		return this.answeredAt;
	}

	/**
	 * Returns whether the tokens were there when they were asked for, by that clock. What
	 * they would have overflowed since is no more than what was generated since, whoever
	 * else came and went.
	 */
	boolean isGrantedAtOnceBy(TokenClock clock) {
		return this.clock == clock;
	}

	long waitNanos() {
		return this.waitNanos;
	}

	boolean isTooLate(long dueAt) {
		return dueAt - this.answeredAt > this.maxWaitNanos;
	}

	/**
	 * Returns whether somebody waits for this reservation to become usable.
	 */
	boolean isAttended() {
		return this.thread != null || this.usable != null;
	}

	void move(PositionShift shift) {
		this.position = shift.apply(this.position);
		this.moved = true;
	}

	/**
	 * Takes note that whoever waits for this reservation looks at it, or is about to.
	 * @return whether it has moved since that was last noted
	 */
	boolean settle() {
		boolean moved = this.moved;
		this.moved = false;
		return moved;
	}

	void end(State state, long waitNanos, long shifts) {
		this.waitNanos = waitNanos;
		this.shifts = shifts;
		this.state = state;
	}

	enum State {

		WAITING, GRANTED, REFUSED, CANCELLED

	}

}
