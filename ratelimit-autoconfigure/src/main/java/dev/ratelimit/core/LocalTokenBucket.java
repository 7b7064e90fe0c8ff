package dev.ratelimit.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.core.LocalReservation.State;
import org.jspecify.annotations.Nullable;

/**
 * {@link TokenBucket} in memory. Its state is one number: the reading of the
 * {@link TokenClock} at which the bucket would be full again.
 * <p>
 * A grant at once is one compare-and-set, and a refusal writes nothing. Only calls that
 * wait, give back, or change the limit meet at the lock of a {@link ReservationQueue}.
 */
final class LocalTokenBucket implements TokenBucket {

	/**
	 * State of a bucket that has been replaced by another: it answers nothing any more.
	 */
	private static final long RETIRED = Long.MIN_VALUE;

	/**
	 * State of a bucket that is being changed, or that is full and
	 * {@linkplain TokenClock#isCoarse() coarse}: the first call starts its clock anew, so
	 * that it is exact.
	 */
	private static final long PENDING = Long.MIN_VALUE + 1;

	/**
	 * Most parts that waiting calls may owe together.
	 */
	private static final long MAX_DEBT = 1L << 61;

	private static final VarHandle FULL_AT;

	private static final VarHandle QUEUE;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			FULL_AT = lookup.findVarHandle(LocalTokenBucket.class, "fullAt", long.class);
			QUEUE = lookup.findVarHandle(LocalTokenBucket.class, "queue", ReservationQueue.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final TimeSource timeSource;

	private volatile TokenClock clock;

	private volatile long fullAt;

	private volatile @Nullable ReservationQueue queue;

	LocalTokenBucket(TokenClock clock) {
		this(clock, clock.limit().capacity());
	}

	LocalTokenBucket(TokenClock clock, long initialTokens) {
		this.timeSource = clock.timeSource();
		this.clock = clock;
		this.fullAt = full(clock, clock.burst() - clock.parts(initialTokens));
	}

	private long full(TokenClock clock, long behind) {
		return (behind <= 0 && clock.isCoarse()) ? PENDING
				: open(clock.generated(this.timeSource.nanos()) + Math.max(0, behind));
	}

	/**
	 * Keeps a state that has wrapped around apart from those that have a meaning of their
	 * own.
	 */
	private static long open(long fullAt) {
		return Math.max(fullAt, PENDING + 1);
	}

	@Override
	public boolean tryAcquire(long tokens) {
		return take(tokens) == Outcome.GRANTED;
	}

	@Override
	public Reservation reserve(long tokens, Duration maxWait) {
		Reservation reservation = reserve(tokens, Waits.nanos(maxWait));
		if (reservation == null) {
			throw new IllegalStateException("the bucket has been replaced");
		}
		return reservation;
	}

	@Override
	public RateLimit limit() {
		return this.clock.limit();
	}

	@Override
	public String toString() {
		return "%s, %d available".formatted(limit(), availableTokens());
	}

	@Override
	public long availableTokens() {
		while (true) {
			TokenClock clock = this.clock;
			long fullAt = this.fullAt;
			if (fullAt <= PENDING) {
				return clock.limit().capacity();
			}
			long behind = Math.max(0, fullAt - clock.generated(this.timeSource.nanos()));
			if (clock == this.clock) {
				return clock.tokens(Math.max(0, clock.burst() - behind));
			}
		}
	}

	/**
	 * Takes tokens if there are enough.
	 */
	Outcome take(long tokens) {
		while (true) {
			TokenClock clock = this.clock;
			long cost = clock.cost(tokens);
			long now = this.timeSource.nanos();
			long fullAt = this.fullAt;
			if (fullAt <= PENDING) {
				if (reopen(tokens) != null) {
					return Outcome.GRANTED;
				}
				if (this.fullAt == RETIRED) {
					return Outcome.RETIRED;
				}
				continue;
			}
			if (clock != this.clock) {
				continue;
			}
			long generated = clock.generated(now);
			long behind = Math.max(0, fullAt - generated);
			if (behind == 0 && clock.isCoarse()) {
				FULL_AT.compareAndSet(this, fullAt, PENDING);
				continue;
			}
			if (behind - clock.burst() + cost > 0) {
				return Outcome.REFUSED;
			}
			if (FULL_AT.compareAndSet(this, fullAt, open(generated + behind + cost))) {
				return Outcome.GRANTED;
			}
		}
	}

	/**
	 * Takes tokens now, or promises them if they will be there within the longest wait.
	 * @return the answer, or {@code null} if this bucket is retired
	 */
	@Nullable LocalReservation reserve(long tokens, long maxWaitNanos) {
		while (true) {
			TokenClock clock = this.clock;
			long cost = clock.cost(tokens);
			long now = this.timeSource.nanos();
			ReservationQueue queue = this.queue;
			long shifts = (queue != null) ? queue.shifts() : 0;
			long fullAt = this.fullAt;
			if (fullAt <= PENDING) {
				LocalReservation first = reopen(tokens);
				if (first != null || this.fullAt == RETIRED) {
					return first;
				}
				continue;
			}
			if (clock != this.clock) {
				continue;
			}
			long generated = clock.generated(now);
			long behind = Math.max(0, fullAt - generated);
			if (behind == 0 && clock.isCoarse()) {
				FULL_AT.compareAndSet(this, fullAt, PENDING);
				continue;
			}
			long position = open(generated + behind + cost);
			long shortage = behind - clock.burst() + cost;
			if (shortage <= 0) {
				if (FULL_AT.compareAndSet(this, fullAt, position)) {
					return LocalReservation.granted(this, clock, tokens, now, position, shifts,
							clock.tokens(-shortage));
				}
				continue;
			}
			long wait = clock.nanosUntilGenerated(now, shortage);
			if (wait > Math.min(maxWaitNanos, Waits.LONGEST_NANOS) || shortage > MAX_DEBT) {
				long available = clock.tokens(Math.max(0, clock.burst() - behind));
				return LocalReservation.refused(this, tokens, now, wait, available);
			}
			LocalReservation reservation = LocalReservation.waiting(this, tokens, now, position, maxWaitNanos);
			if (enqueue(reservation, fullAt)) {
				return reservation;
			}
		}
	}

	private boolean enqueue(LocalReservation reservation, long fullAt) {
		ReservationQueue queue = lock();
		try {
			grantDue(queue);
			boolean enqueued = FULL_AT.compareAndSet(this, fullAt, reservation.position());
			if (enqueued) {
				queue.add(reservation);
			}
			return enqueued;
		}
		finally {
			unlock(queue);
		}
	}

	/**
	 * Grants a waiting reservation if it is due.
	 * @return whether it does not wait any more
	 */
	boolean grantIfDue(LocalReservation reservation) {
		ReservationQueue queue = lock();
		try {
			reservation.settle();
			grantDue(queue);
			return reservation.state() != State.WAITING;
		}
		finally {
			unlock(queue);
		}
	}

	/**
	 * Cancels a reservation, unless it was refused or cancelled before.
	 */
	void cancel(LocalReservation reservation) {
		ReservationQueue queue = lock();
		try {
			if (reservation.state() == State.WAITING || reservation.state() == State.GRANTED) {
				giveBack(reservation, State.CANCELLED, queue);
				grantDue(queue);
			}
		}
		finally {
			unlock(queue);
		}
	}

	/**
	 * Returns the instant at which a waiting reservation falls due.
	 */
	long dueAt(LocalReservation reservation) {
		ReservationQueue queue = lock();
		try {
			reservation.settle();
			return dueInstant(reservation);
		}
		finally {
			unlock(queue);
		}
	}

	/**
	 * Returns how long after its answer a reservation may be used or, of a refused one,
	 * would have passed.
	 */
	long waitNanos(LocalReservation reservation) {
		if (reservation.state() != State.WAITING) {
			return reservation.waitNanos();
		}
		ReservationQueue queue = lock();
		try {
			return waitNanosSoFar(reservation);
		}
		finally {
			unlock(queue);
		}
	}

	void parkUntilDue(LocalReservation reservation) {
		this.timeSource.parkUntil(dueAt(reservation));
	}

	TimeSource.Scheduled runAt(long instant, Runnable task) {
		return this.timeSource.runAt(instant, task);
	}

	/**
	 * Puts another limit in force. The tokens stay, up to the new capacity, and so do the
	 * places of those who wait, unless their wait has become too long.
	 */
	void change(TokenClock next) {
		ReservationQueue queue = lock();
		try {
			change(next, queue);
			grantDue(queue);
		}
		finally {
			unlock(queue);
		}
	}

	private void change(TokenClock next, ReservationQueue queue) {
		TokenClock clock = this.clock;
		long fullAt = close();
		if (fullAt == RETIRED) {
			return;
		}
		long changed;
		if (fullAt == PENDING) {
			queue.forget();
			changed = full(next, next.burst() - next.parts(Math.min(limit().capacity(), next.limit().capacity())));
		}
		else {
			long now = this.timeSource.nanos();
			PositionShift change = PositionShift.Change.at(now, clock, next);
			long generated = clock.generated(now);
			changed = open(change.apply(generated + Math.max(0, fullAt - generated)));
			queue.shift(change);
			if (next.isCoarse() && changed - next.generated(now) <= 0) {
				changed = PENDING;
			}
		}
		this.clock = next;
		FULL_AT.compareAndSet(this, PENDING, changed);
		for (LocalReservation reservation : queue.waiting()) {
			if (reservation.isTooLate(dueInstant(reservation))) {
				giveBack(reservation, State.REFUSED, queue);
			}
		}
	}

	private long close() {
		while (true) {
			long fullAt = this.fullAt;
			if (fullAt <= PENDING || FULL_AT.compareAndSet(this, fullAt, PENDING)) {
				return fullAt;
			}
		}
	}

	/**
	 * Pours in as many tokens as the bucket holds, for those who wait first.
	 */
	void refill() {
		ReservationQueue queue = lock();
		try {
			pourIn(queue);
			grantDue(queue);
		}
		finally {
			unlock(queue);
		}
	}

	/**
	 * Ends this bucket: from now on it answers {@link Outcome#RETIRED}.
	 * @return whether it was full, so that a new one is the same
	 */
	boolean retire() {
		TokenClock clock = this.clock;
		long fullAt = (long) FULL_AT.getAndSet(this, RETIRED);
		return fullAt <= PENDING || fullAt - clock.generated(this.timeSource.nanos()) <= 0;
	}

	/**
	 * Ends this bucket if it is full, so that a new one is the same.
	 * @return whether it has ended; else it goes on
	 */
	boolean retireIfFull() {
		while (true) {
			TokenClock clock = this.clock;
			long now = this.timeSource.nanos();
			long fullAt = this.fullAt;
			if (clock != this.clock) {
				continue;
			}
			if (fullAt > PENDING && fullAt - clock.generated(now) > 0) {
				return false;
			}
			if (FULL_AT.compareAndSet(this, fullAt, RETIRED)) {
				return true;
			}
		}
	}

	/**
	 * Returns how long until the bucket is full even if one more call takes what it can.
	 */
	long nanosUntilSurelyFull() {
		TokenClock clock = this.clock;
		long fullAt = this.fullAt;
		long behind = (fullAt <= PENDING) ? 0 : fullAt - clock.generated(this.timeSource.nanos());
		return clock.nanosAtMost((double) Math.max(0, behind) + clock.burst());
	}

	/**
	 * Waits for a change under way to end, or grants tokens from a full and coarse bucket
	 * whose clock starts anew.
	 * @return the grant, or {@code null} if the state of the bucket has to be looked at
	 * again
	 */
	private @Nullable LocalReservation reopen(long tokens) {
		ReservationQueue queue = lock();
		try {
			if (this.fullAt != PENDING) {
				return null;
			}
			grantDue(queue);
			queue.forget();
			TokenClock clock = this.clock.restarted();
			this.clock = clock;
			long cost = clock.cost(tokens);
			return FULL_AT.compareAndSet(this, PENDING, cost) ? LocalReservation.granted(this, clock, tokens,
					clock.origin(), cost, queue.shifts(), clock.tokens(clock.burst() - cost)) : null;
		}
		finally {
			unlock(queue);
		}
	}

	private ReservationQueue lock() {
		ReservationQueue queue = this.queue;
		while (queue == null) {
			QUEUE.compareAndSet(this, null, new ReservationQueue());
			queue = this.queue;
		}
		queue.lock();
		return queue;
	}

	/**
	 * Lets the lock go. Of those who moved only the first is told, who tells the next one
	 * on leaving.
	 */
	private static void unlock(ReservationQueue queue) {
		LocalReservation first = queue.firstAttended();
		if (first != null && first.settle()) {
			queue.signal(first);
		}
		queue.unlock();
	}

	// For the holder of the lock

	private void giveBack(LocalReservation giver, State state, ReservationQueue queue) {
		TokenClock clock = this.clock;
		long cost = clock.parts(giver.tokens());
		long position = giver.position();
		if (giver.state() == State.GRANTED) {
			long nothing = clock.generated(this.timeSource.nanos());
			position = queue.current(position, giver.shifts(), nothing);
		}
		end(giver, state, queue);
		while (true) {
			long fullAt = this.fullAt;
			long now = this.timeSource.nanos();
			long generated = clock.generated(now);
			boolean last = position == fullAt;
			long replaced = (last || !clock.isCoarse()) ? generated : clock.generatedAtMost(now);
			long parts = Math.min(cost, position - replaced);
			if (giver.isGrantedAtOnceBy(clock)) {
				parts = Math.max(parts, cost - clock.generatedAtMost(giver.answeredAt(), now));
			}
			if (fullAt <= PENDING || parts <= 0) {
				return;
			}
			if (FULL_AT.compareAndSet(this, fullAt, open(fullAt - parts))) {
				if (!last) {
					queue.shift(new PositionShift.Return(position, parts));
				}
				return;
			}
		}
	}

	private void pourIn(ReservationQueue queue) {
		TokenClock clock = this.clock;
		while (true) {
			long fullAt = this.fullAt;
			long generated = clock.generated(this.timeSource.nanos());
			long parts = Math.min(clock.burst(), fullAt - generated);
			if (fullAt <= PENDING || parts <= 0) {
				return;
			}
			if (FULL_AT.compareAndSet(this, fullAt, open(fullAt - parts))) {
				this.clock = clock.copy();
				queue.shift(new PositionShift.Return(generated, parts));
				return;
			}
		}
	}

	private void grantDue(ReservationQueue queue) {
		LocalReservation first = queue.first();
		while (first != null && isDue(first)) {
			end(first, State.GRANTED, queue);
			first = queue.first();
		}
	}

	private void end(LocalReservation reservation, State state, ReservationQueue queue) {
		queue.remove(reservation);
		reservation.end(state, waitNanosSoFar(reservation), queue.shifts());
		if (reservation.settle() || state != State.GRANTED) {
			queue.signal(reservation);
		}
	}

	private boolean isDue(LocalReservation reservation) {
		TokenClock clock = this.clock;
		long generated = clock.generated(this.timeSource.nanos());
		return reservation.position() - clock.burst() - generated <= 0;
	}

	private long dueInstant(LocalReservation reservation) {
		TokenClock clock = this.clock;
		long answeredAt = reservation.answeredAt();
		long shortage = reservation.position() - clock.burst() - clock.generated(answeredAt);
		return answeredAt + clock.nanosUntilGenerated(answeredAt, shortage);
	}

	private long waitNanosSoFar(LocalReservation reservation) {
		return (reservation.state() == State.WAITING) ? dueInstant(reservation) - reservation.answeredAt()
				: reservation.waitNanos();
	}

}
