package dev.ratelimit.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * {@link TimeSource} for tests, whose time stands still until it is told to move.
 * <p>
 * As made by a constructor, a wait lasts until another thread calls
 * {@link #advance(Duration)}; {@link #waiters()} tells that thread when there is somebody
 * to wake. As made by {@link #autoAdvancing()}, a wait moves the clock to its end and
 * returns, so that a single thread can go through any amount of time.
 */
public final class ManualTimeSource implements TimeSource {

	private final boolean autoAdvancing;

	private final Object monitor = new Object();

	private final List<Alarm> alarms = new ArrayList<>();

	private volatile long now;

	private long goal;

	/**
	 * Creates a clock that stands at zero.
	 */
	public ManualTimeSource() {
		this(0);
	}

	/**
	 * Creates a clock that stands at the given instant.
	 * @param nanos the instant, possibly negative or near the wrap of a {@code long}
	 */
	public ManualTimeSource(long nanos) {
		this(nanos, false);
	}

	private ManualTimeSource(long nanos, boolean autoAdvancing) {
		this.now = nanos;
		this.goal = nanos;
		this.autoAdvancing = autoAdvancing;
	}

	/**
	 * Creates a clock that stands at zero and that every wait moves to its own end.
	 * @return a new time source
	 */
	public static ManualTimeSource autoAdvancing() {
		return new ManualTimeSource(0, true);
	}

	@Override
	public long nanos() {
		return this.now;
	}

	/**
	 * Moves the clock. Tasks that fall due run on the calling thread, each at its own
	 * instant and in order; threads that fall due are woken.
	 * @param duration how far to move; zero or more
	 * @throws IllegalArgumentException if the duration is negative
	 */
	public void advance(Duration duration) {
		advanceNanos(duration.toNanos());
	}

	/**
	 * Moves the clock by nanoseconds, as {@link #advance(Duration)} does.
	 * @param nanos how far to move; zero or more
	 * @throws IllegalArgumentException if the number is negative
	 */
	public void advanceNanos(long nanos) {
		if (nanos < 0) {
			throw new IllegalArgumentException("time cannot be moved back, but was moved by " + nanos + "ns");
		}
		long target;
		synchronized (this.monitor) {
			this.goal = ((this.now - this.goal > 0) ? this.now : this.goal) + nanos;
			target = this.goal;
		}
		moveTo(target);
	}

	/**
	 * Returns how many threads are parked and tasks are pending in this time source.
	 * @return the number of those that wait for time to pass
	 */
	public int waiters() {
		synchronized (this.monitor) {
			return this.alarms.size();
		}
	}

	@Override
	public void parkUntil(long instant) {
		if (this.autoAdvancing) {
			moveTo(instant);
			return;
		}
		Thread thread = Thread.currentThread();
		Alarm alarm = new Alarm(instant, () -> LockSupport.unpark(thread));
		if (add(alarm)) {
			LockSupport.park(this);
			remove(alarm);
		}
	}

	@Override
	public Scheduled runAt(long instant, Runnable task) {
		Alarm alarm = new Alarm(instant, task);
		if (!add(alarm)) {
			task.run();
		}
		else if (this.autoAdvancing) {
			moveTo(instant);
		}
		return () -> remove(alarm);
	}

	private boolean add(Alarm alarm) {
		synchronized (this.monitor) {
			return alarm.instant() - this.now > 0 && this.alarms.add(alarm);
		}
	}

	private void remove(Alarm alarm) {
		synchronized (this.monitor) {
			this.alarms.remove(alarm);
		}
	}

	private void moveTo(long instant) {
		while (true) {
			Alarm next;
			synchronized (this.monitor) {
				next = this.alarms.stream()
					.min(Comparator.comparingLong((alarm) -> alarm.instant() - this.now))
					.filter((alarm) -> alarm.instant() - instant <= 0)
					.orElse(null);
				long target = (next != null) ? next.instant() : instant;
				if (target - this.now > 0) {
					this.now = target;
				}
				if (next == null) {
					return;
				}
				this.alarms.remove(next);
			}
			next.task().run();
		}
	}

	/**
	 * Not a record, for two that look the same are not.
	 */
	private static final class Alarm {

		private final long instant;

		private final Runnable task;

		Alarm(long instant, Runnable task) {
			this.instant = instant;
			this.task = task;
		}

		long instant() {
			return this.instant;
		}

		Runnable task() {
			return this.task;
		}

	}

}
