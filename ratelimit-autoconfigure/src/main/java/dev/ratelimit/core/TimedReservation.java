package dev.ratelimit.core;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * {@link Reservation} whose wait is fixed when it is made, as a store elsewhere gives it.
 */
public final class TimedReservation implements Reservation {

	private final TimeSource timeSource;

	private final boolean granted;

	private final long waitNanos;

	private final long dueAt;

	private final long availableTokens;

	private final Supplier<CompletionStage<Void>> giveBack;

	private final AtomicBoolean cancelled = new AtomicBoolean();

	private final CompletableFuture<Boolean> cancellation = new CompletableFuture<>();

	private volatile @Nullable Thread waiter;

	private TimedReservation(TimeSource timeSource, boolean granted, long waitNanos, long availableTokens,
			Supplier<CompletionStage<Void>> giveBack) {
		this.timeSource = timeSource;
		this.granted = granted;
		this.waitNanos = waitNanos;
		this.dueAt = timeSource.nanos() + Math.min(waitNanos, Waits.LONGEST_NANOS);
		this.availableTokens = availableTokens;
		this.giveBack = giveBack;
	}

	/**
	 * Creates a reservation of tokens that may be used after a wait.
	 * @param timeSource the clock by which to wait
	 * @param waitNanos nanoseconds from now until the tokens may be used; zero: at once
	 * @param availableTokens what the bucket holds now
	 * @param giveBack gives the tokens back without blocking; called once at most
	 * @return the reservation
	 */
	public static TimedReservation granted(TimeSource timeSource, long waitNanos, long availableTokens,
			Supplier<CompletionStage<Void>> giveBack) {
		return new TimedReservation(timeSource, true, waitNanos, availableTokens, giveBack);
	}

	/**
	 * Creates a refusal.
	 * @param timeSource the clock of the bucket
	 * @param waitNanos nanoseconds from now until the same call would pass
	 * @param availableTokens what the bucket holds now
	 * @return the refusal
	 */
	public static TimedReservation refused(TimeSource timeSource, long waitNanos, long availableTokens) {
		return new TimedReservation(timeSource, false, waitNanos, availableTokens,
				() -> CompletableFuture.completedStage(null));
	}

	@Override
	public boolean granted() {
		return this.granted;
	}

	@Override
	public Duration waitTime() {
		return Duration.ofNanos(this.waitNanos);
	}

	@Override
	public long availableTokens() {
		return this.availableTokens;
	}

	@Override
	public boolean await() throws InterruptedException {
		this.waiter = Thread.currentThread();
		while (isWaiting()) {
			if (Thread.interrupted()) {
				cancelAsync();
				throw new InterruptedException();
			}
			this.timeSource.parkUntil(this.dueAt);
		}
		if (this.cancelled.get()) {
			throw cancellation();
		}
		return this.granted;
	}

	@Override
	@SuppressWarnings("FutureReturnValueIgnored") // followers only
	public CompletionStage<Boolean> whenUsable() {
		CompletableFuture<Boolean> usable = new CompletableFuture<>();
		this.cancellation.whenComplete((never, failure) -> usable.completeExceptionally(failure));
		if (isWaiting()) {
			TimeSource.Scheduled alarm = this.timeSource.runAt(this.dueAt, () -> usable.complete(true));
			usable.whenComplete((value, failure) -> alarm.cancel());
		}
		else {
			usable.complete(this.granted);
		}
		return usable.minimalCompletionStage();
	}

	/**
	 * {@inheritDoc} Blocks until the store has answered or has failed to. What it fails
	 * with is not thrown.
	 */
	@Override
	public void cancel() {
		cancelAsync().toCompletableFuture().handle((nothing, failure) -> true).join();
	}

	@Override
	public CompletionStage<Void> cancelAsync() {
		if (!this.granted || !this.cancelled.compareAndSet(false, true)) {
			return CompletableFuture.completedStage(null);
		}
		CompletionStage<Void> givenBack = this.giveBack.get();
		this.cancellation.completeExceptionally(cancellation());
		LockSupport.unpark(this.waiter);
		return givenBack;
	}

	private boolean isWaiting() {
		return this.granted && !this.cancelled.get() && this.dueAt - this.timeSource.nanos() > 0;
	}

	private static CancellationException cancellation() {
		return new CancellationException("the reservation was cancelled");
	}

}
