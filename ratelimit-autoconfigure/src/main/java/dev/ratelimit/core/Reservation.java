package dev.ratelimit.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A bucket's answer to a call that wants tokens: granted now, granted for a moment to
 * come, or refused.
 */
public interface Reservation {

	/**
	 * Returns whether the tokens were granted, now or for later.
	 * @return {@code false} if they were refused and nothing was taken
	 */
	boolean granted();

	/**
	 * Returns how long after the answer the tokens may be used. It shrinks when a call
	 * ahead gives its place up or the rate is raised, and grows when the rate is lowered.
	 * @return zero: at once. Of a refused one: how long until the same call would have
	 * passed, had no other come before it
	 */
	Duration waitTime();

	/**
	 * Returns what the bucket held after this answer.
	 * @return whole tokens; zero while calls wait
	 */
	long availableTokens();

	/**
	 * Parks the calling thread until the tokens may be used. One thread may wait for a
	 * reservation.
	 * @return {@code false} at once if refused, or as soon as a changed limit has moved
	 * the tokens past the longest wait
	 * @throws InterruptedException if the thread is interrupted while it waits; the
	 * reservation is then cancelled
	 * @throws java.util.concurrent.CancellationException if the reservation is cancelled
	 */
	boolean await() throws InterruptedException;

	/**
	 * Returns a stage that completes when {@link #await()} would return, with its value,
	 * and fails with a {@link java.util.concurrent.CancellationException} if the
	 * reservation is cancelled. No thread waits for it. Completing or cancelling the
	 * stage itself has no effect on the reservation.
	 * @return a stage, possibly complete
	 */
	CompletionStage<Boolean> whenUsable();

	/**
	 * Gives the tokens back, as far as they would not have overflowed meanwhile, and
	 * hands the place of a waiting call on to those behind it. Does nothing if refused or
	 * cancelled before.
	 */
	void cancel();

	/**
	 * Gives the tokens back as {@link #cancel()} does, without blocking where the bucket
	 * lives in a store elsewhere.
	 * @return a stage that completes when they are back
	 */
	default CompletionStage<Void> cancelAsync() {
		cancel();
		return CompletableFuture.completedStage(null);
	}

}
