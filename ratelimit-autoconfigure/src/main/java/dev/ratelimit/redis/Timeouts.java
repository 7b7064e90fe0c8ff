package dev.ratelimit.redis;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets futures fail that take too long. All may take the same time, so that they are due
 * in the order in which they came, and one alarm is enough for all.
 */
final class Timeouts {

	private final long timeoutNanos;

	private final Queue<Pending> pending = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean alarmIsSet = new AtomicBoolean();

	Timeouts(Duration timeout) {
		this.timeoutNanos = timeout.toNanos();
	}

	/**
	 * Lets a future fail with a {@link TimeoutException} if it is not done in time.
	 * @return the future
	 */
	<T> CompletableFuture<T> limit(CompletableFuture<T> future) {
		forgetDone();
		this.pending.add(new Pending(future, System.nanoTime() + this.timeoutNanos));
		setAlarm(this.timeoutNanos);
		return future;
	}

	private void forgetDone() {
		Pending first = this.pending.peek();
		while (first != null && first.future().isDone()) {
			this.pending.remove(first);
			first = this.pending.peek();
		}
	}

	private void setAlarm(long delayNanos) {
		if (!this.alarmIsSet.get() && this.alarmIsSet.compareAndSet(false, true)) {
			CompletableFuture.delayedExecutor(delayNanos, TimeUnit.NANOSECONDS, Runnable::run).execute(this::failLate);
		}
	}

	private void failLate() {
		long now = System.nanoTime();
		Pending first = this.pending.peek();
		while (first != null && (first.future().isDone() || first.dueAt() - now <= 0)) {
			this.pending.remove(first);
			first.future().completeExceptionally(new TimeoutException());
			first = this.pending.peek();
		}
		this.alarmIsSet.set(false);
		first = this.pending.peek();
		if (first != null) {
			setAlarm(first.dueAt() - now);
		}
	}

	/**
	 * A future and when it has to be done.
	 */
	private record Pending(CompletableFuture<?> future, long dueAt) {

	}

}
