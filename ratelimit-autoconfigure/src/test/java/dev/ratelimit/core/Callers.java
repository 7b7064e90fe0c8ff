package dev.ratelimit.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Threads that call a bucket, all of which must have ended when a test ends.
 */
final class Callers {

	private static final long PATIENCE_SECONDS = 60;

	private final List<Thread> threads = new ArrayList<>();

	/**
	 * Starts a thread.
	 */
	<T> Caller<T> start(Callable<T> call) {
		FutureTask<T> task = new FutureTask<>(call);
		Thread thread = new Thread(task, "caller-" + this.threads.size());
		thread.setDaemon(true);
		this.threads.add(thread);
		thread.start();
		return new Caller<>(thread, task);
	}

	/**
	 * Starts a thread and returns when it waits for the clock.
	 */
	<T> Caller<T> startAndPark(ManualTimeSource clock, Callable<T> call) {
		int others = clock.waiters();
		Caller<T> caller = start(call);
		until(() -> clock.waiters() == others + 1, "parked");
		return caller;
	}

	/**
	 * Looks again and again until a condition holds.
	 */
	static void until(BooleanSupplier condition, String description) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
				throw new AssertionError("not " + description + " within the time allowed");
			}
			Thread.onSpinWait();
			Thread.yield();
		}
	}

	/**
	 * Returns what a stage has failed with.
	 */
	static @Nullable Throwable failureOf(CompletionStage<?> stage) {
		return stage.handle((value, ex) -> (ex instanceof CompletionException) ? ex.getCause() : ex)
			.toCompletableFuture()
			.getNow(null);
	}

	/**
	 * Interrupts those that still run and waits for their end.
	 */
	void endAll() throws InterruptedException {
		for (Thread thread : this.threads) {
			thread.interrupt();
		}
		for (Thread thread : this.threads) {
			thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
			if (thread.isAlive()) {
				throw new AssertionError(thread + " has not ended");
			}
		}
	}

	/**
	 * A thread and what it will return.
	 */
	static final class Caller<T> {

		private final Thread thread;

		private final FutureTask<T> task;

		private Caller(Thread thread, FutureTask<T> task) {
			this.thread = thread;
			this.task = task;
		}

		Thread thread() {
			return this.thread;
		}

		boolean done() {
			return this.task.isDone();
		}

		/**
		 * Returns what the thread returned, or throws what it threw.
		 */
		T result() throws Exception {
			try {
				return this.task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
			}
			catch (ExecutionException ex) {
				if (ex.getCause() instanceof Exception cause) {
					throw cause;
				}
				throw ex;
			}
		}

	}

}
