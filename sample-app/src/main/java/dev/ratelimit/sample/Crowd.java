package dev.ratelimit.sample;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.ratelimit.core.TimeSource;

/**
 * A hundred calls that come at the same moment, each on a thread of its own. Every tenth
 * that starts is reported.
 */
final class Crowd {

	private static final int SIZE = 100;

	private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final TimeSource timeSource;

	private final Consumer<String> output;

	private Stopwatch stopwatch;

	private int started;

	private int running;

	private int mostRunning;

	Crowd(TimeSource timeSource, Consumer<String> output) {
		this.timeSource = timeSource;
		this.output = output;
		this.stopwatch = new Stopwatch(timeSource);
	}

	/**
	 * Lets all calls come, and returns when the last one is done.
	 * @param gate what each of them has to pass
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	void come(Gate gate) throws InterruptedException {
		CyclicBarrier barrier = new CyclicBarrier(SIZE, this::startStopwatch);
		ExecutorService executor = Executors.newFixedThreadPool(SIZE);
		try {
			Callable<Void> visitor = () -> {
				barrier.await();
				gate.pass(this::work);
				return null;
			};
			for (Future<Void> visit : executor.invokeAll(Collections.nCopies(SIZE, visitor))) {
				visit.get();
			}
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		finally {
			executor.shutdownNow();
		}
		this.output.accept("%s  done: %d ran, at most %d at a time; %d were refused".formatted(this.stopwatch,
				this.started, this.mostRunning, SIZE - this.started));
	}

	private void startStopwatch() {
		this.stopwatch = new Stopwatch(this.timeSource);
	}

	private void work() throws InterruptedException {
		start();
		long end = this.timeSource.nanos() + WORK_NANOS;
		while (end - this.timeSource.nanos() > 0) {
			this.timeSource.parkUntil(end);
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
		}
		end();
	}

	private synchronized void start() {
		this.started++;
		this.running++;
		this.mostRunning = Math.max(this.mostRunning, this.running);
		if (this.started % 10 == 0) {
			this.output.accept("%s  call %d starts".formatted(this.stopwatch, this.started));
		}
	}

	private synchronized void end() {
		this.running--;
	}

	/**
	 * What a call has to pass before it may run.
	 */
	@FunctionalInterface
	interface Gate {

		void pass(Call call) throws InterruptedException;

	}

	/**
	 * A call.
	 */
	@FunctionalInterface
	interface Call {

		void run() throws InterruptedException;

	}

}
