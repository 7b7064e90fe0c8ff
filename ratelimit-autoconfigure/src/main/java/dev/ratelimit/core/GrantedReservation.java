package dev.ratelimit.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@link Reservation} of a limit that is switched off or in shadow mode: nothing was
 * taken, nothing goes back.
 */
record GrantedReservation(long availableTokens) implements Reservation {

	@Override
	public boolean granted() {
		return true;
	}

	@Override
	public Duration waitTime() {
		return Duration.ZERO;
	}

	@Override
	public boolean await() {
		return true;
	}

	@Override
	public CompletionStage<Boolean> whenUsable() {
		return CompletableFuture.completedStage(true);
	}

	@Override
	public void cancel() {
	}

}
