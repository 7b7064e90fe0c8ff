package dev.ratelimit.core;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * {@link TimeSource} of the machine, with one daemon thread for tasks, started when first
 * needed.
 */
enum SystemTimeSource implements TimeSource {

	INSTANCE;

	@Override
	public long nanos() {
		return System.nanoTime();
	}

	@Override
	public void parkUntil(long instant) {
		LockSupport.parkNanos(this, instant - System.nanoTime());
	}

	@Override
	public Scheduled runAt(long instant, Runnable task) {
		Future<?> future = Timer.EXECUTOR.schedule(task, instant - System.nanoTime(), TimeUnit.NANOSECONDS);
		return () -> future.cancel(false);
	}

	private static final class Timer {

		static final ScheduledThreadPoolExecutor EXECUTOR = create();

		private static ScheduledThreadPoolExecutor create() {
			ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
				Thread thread = new Thread(task, "ratelimit-timer");
				thread.setDaemon(true);
				thread.setContextClassLoader(null);
				return thread;
			});
			executor.setRemoveOnCancelPolicy(true);
			return executor;
		}

	}

}
