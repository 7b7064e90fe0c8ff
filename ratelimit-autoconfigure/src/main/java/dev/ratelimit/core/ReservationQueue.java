package dev.ratelimit.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for a bucket, in order, and the recent shifts of positions that a
 * reservation granted before them has to apply to its own. All but {@link #shifts()} is
 * for the holder of the lock.
 */
final class ReservationQueue {

	private static final int MAX_HISTORY = 1024;

	private final ReentrantLock lock = new ReentrantLock();

	private final Set<LocalReservation> waiting = new LinkedHashSet<>();

	private final List<LocalReservation> signals = new ArrayList<>();

	private final List<Entry> history = new ArrayList<>();

	private long forgotten;

	private volatile long shifts;

	void lock() {
		this.lock.lock();
	}

	/**
	 * Lets the lock go, and then all who were to be told look at their reservations.
	 */
	void unlock() {
		List<LocalReservation> signalled = this.signals.isEmpty() ? List.of() : List.copyOf(this.signals);
		this.signals.clear();
		this.lock.unlock();
		signalled.forEach(LocalReservation::signal);
	}

	void signal(LocalReservation reservation) {
		this.signals.add(reservation);
	}

	/**
	 * Returns how many shifts there have been. A reservation granted at once reads it
	 * before it reads the state of the bucket.
	 */
	long shifts() {
		return this.shifts;
	}

	void add(LocalReservation reservation) {
		this.waiting.add(reservation);
	}

	void remove(LocalReservation reservation) {
		this.waiting.remove(reservation);
	}

	@Nullable LocalReservation first() {
		return this.waiting.isEmpty() ? null : this.waiting.iterator().next();
	}

	/**
	 * Returns the first reservation for which somebody waits.
	 */
	@Nullable LocalReservation firstAttended() {
		for (LocalReservation reservation : this.waiting) {
			if (reservation.isAttended()) {
				return reservation;
			}
		}
		return null;
	}

	List<LocalReservation> waiting() {
		return List.copyOf(this.waiting);
	}

	/**
	 * Moves those who wait, and remembers the move for those who have been granted.
	 */
	void shift(PositionShift shift) {
		long next = this.shifts + 1;
		remember(new Entry(next, shift));
		this.shifts = next;
		this.waiting.forEach((reservation) -> reservation.move(shift));
	}

	/**
	 * Returns where a position that was right when there had been {@code since} shifts is
	 * now, or {@code floor} if that is not known any more.
	 */
	long current(long position, long since, long floor) {
		if (since < this.forgotten) {
			return floor;
		}
		long current = position;
		for (Entry entry : this.history) {
			if (entry.number() > since) {
				current = entry.shift().apply(current);
			}
		}
		return current;
	}

	/**
	 * Lets all reservations that have been granted so far give back nothing.
	 */
	void forget() {
		this.history.clear();
		this.forgotten = this.shifts + 1;
		this.shifts = this.forgotten;
	}

	private void remember(Entry entry) {
		this.history.add(entry);
		if (this.history.size() > MAX_HISTORY) {
			Entry first = this.history.remove(0);
			Entry second = this.history.get(0);
			if (first.shift() instanceof PositionShift.Return earlier
					&& second.shift() instanceof PositionShift.Return later) {
				this.history.set(0, new Entry(second.number(), earlier.merge(later)));
			}
			else {
				this.forgotten = first.number();
			}
		}
	}

	private record Entry(long number, PositionShift shift) {

	}

}
