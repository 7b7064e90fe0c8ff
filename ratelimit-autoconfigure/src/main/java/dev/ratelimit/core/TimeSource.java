package dev.ratelimit.core;

/**
 * The clock of all buckets, and the one way in which they let time pass.
 * <p>
 * Instants are nanoseconds from an arbitrary start, as {@link System#nanoTime()} gives
 * them: they may be negative and may wrap, so two of them are compared by their
 * difference. Implementations are safe for use by several threads.
 */
public interface TimeSource {

	/**
	 * Returns the present instant.
	 * @return nanoseconds from an arbitrary start; never runs backwards
	 */
	long nanos();

	/**
	 * Parks the calling thread until the instant has come. Returns early, as
	 * {@link java.util.concurrent.locks.LockSupport#parkNanos(long)} does, when the
	 * thread is unparked or interrupted, or for no reason; the caller looks again.
	 * @param instant when to return, on the scale of {@link #nanos()}
	 */
	void parkUntil(long instant);

	/**
	 * Runs a short task that does not block, once, when the instant has come, on a thread
	 * of this time source's choice.
	 * @param instant when to run, on the scale of {@link #nanos()}; at once if it is past
	 * @param task what to run
	 * @return a handle that withdraws the task unless it already ran
	 */
	Scheduled runAt(long instant, Runnable task);

	/**
	 * Returns the time source of the machine: {@link System#nanoTime()}.
	 * @return the one instance
	 */
	static TimeSource system() {
		return SystemTimeSource.INSTANCE;
	}

	/**
	 * A task that was handed to {@link TimeSource#runAt(long, Runnable)}.
	 */
	@FunctionalInterface
	interface Scheduled {

		/**
		 * Withdraws the task. Does nothing if it has run or was withdrawn.
		 */
		void cancel();

	}

}
