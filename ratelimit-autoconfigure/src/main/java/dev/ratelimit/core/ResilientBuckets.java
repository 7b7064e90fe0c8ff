package dev.ratelimit.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.ratelimit.core.StoreCircuit.Permit;
import dev.ratelimit.core.TokenBucketStore.Buckets;
import org.jspecify.annotations.Nullable;

/**
 * Buckets of a store that may fail, and those that stand in for them then.
 */
final class ResilientBuckets implements Buckets {

	private static final Logger logger = System.getLogger(TokenBucketStore.class.getName());

	private final String limitName;

	private final Buckets buckets;

	private final StoreCircuit circuit;

	private final @Nullable Buckets standIn;

	private final Consumer<Throwable> failures;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Creates buckets.
	 * @param standIn decides while the store does not answer; {@code null}: calls fail
	 */
	ResilientBuckets(String limitName, Buckets buckets, StoreCircuit circuit, @Nullable Buckets standIn,
			Consumer<Throwable> failures) {
		this.limitName = limitName;
		this.buckets = buckets;
		this.circuit = circuit;
		this.standIn = standIn;
		this.failures = failures;
	}

	@Override
	public boolean tryAcquire(@Nullable String key, long tokens) {
		return ask((buckets) -> buckets.tryAcquire(key, tokens));
	}

	@Override
	public Reservation reserve(@Nullable String key, long tokens, long maxWaitNanos) {
		return ask((buckets) -> buckets.reserve(key, tokens, maxWaitNanos));
	}

	@Override
	public CompletionStage<Reservation> reserveAsync(@Nullable String key, long tokens, long maxWaitNanos) {
		Permit permit = this.circuit.permit();
		if (permit == Permit.NONE) {
			return standInAsync(key, tokens, maxWaitNanos, null);
		}
		CompletionStage<Reservation> answer = this.buckets.reserveAsync(key, tokens, maxWaitNanos);
		return answer.handle((reservation, failure) -> {
			if (failure == null) {
				this.circuit.succeeded(permit);
				return CompletableFuture.completedStage(reservation);
			}
			Throwable cause = StageFailure.cause(failure);
			return isFailure(cause, permit) ? standInAsync(key, tokens, maxWaitNanos, cause)
					: CompletableFuture.<Reservation>failedStage(cause);
		}).thenCompose(Function.identity());
	}

	private CompletionStage<Reservation> standInAsync(@Nullable String key, long tokens, long maxWaitNanos,
			@Nullable Throwable failure) {
		try {
			return standIn(failure).reserveAsync(key, tokens, maxWaitNanos);
		}
		catch (RateLimitStoreUnavailableException ex) {
			return CompletableFuture.failedStage(ex);
		}
	}

	@Override
	public long availableTokens(@Nullable String key) {
		return ask((buckets) -> buckets.availableTokens(key));
	}

	@Override
	public long lastSeenTokens() {
		return this.buckets.lastSeenTokens();
	}

	@Override
	public long keys() {
		return this.buckets.keys() + ((this.standIn != null) ? this.standIn.keys() : 0);
	}

	@Override
	public long dropped() {
		return this.buckets.dropped() + ((this.standIn != null) ? this.standIn.dropped() : 0);
	}

	@Override
	public void change(RateLimit limit) {
		this.buckets.change(limit);
		if (this.standIn != null) {
			this.standIn.change(limit);
		}
	}

	@Override
	public void refill(@Nullable String key) {
		insist((buckets) -> buckets.refill(key));
	}

	@Override
	public void refillAll() {
		insist(Buckets::refillAll);
	}

	private <T> T ask(Function<Buckets, T> question) {
		Permit permit = this.circuit.permit();
		Throwable failure = null;
		if (permit != Permit.NONE) {
			try {
				T answer = question.apply(this.buckets);
				this.circuit.succeeded(permit);
				return answer;
			}
			catch (RuntimeException ex) {
				if (!isFailure(ex, permit)) {
					throw ex;
				}
				failure = ex;
			}
		}
		return question.apply(standIn(failure));
	}

	/**
	 * Does what nobody can do in the place of the store.
	 */
	private void insist(Consumer<Buckets> action) {
		if (this.standIn != null) {
			action.accept(this.standIn);
		}
		Permit permit = this.circuit.permit();
		if (permit == Permit.NONE) {
			throw new RateLimitStoreUnavailableException(this.limitName, null);
		}
		try {
			action.accept(this.buckets);
			this.circuit.succeeded(permit);
		}
		catch (RuntimeException ex) {
			throw isFailure(ex, permit) ? new RateLimitStoreUnavailableException(this.limitName, ex) : ex;
		}
	}

	private Buckets standIn(@Nullable Throwable failure) {
		if (this.standIn == null) {
			throw new RateLimitStoreUnavailableException(this.limitName, failure);
		}
		return this.standIn;
	}

	/**
	 * Returns whether the store has failed, as opposed to the caller, and takes note.
	 */
	private boolean isFailure(Throwable failure, Permit permit) {
		if (failure instanceof IllegalArgumentException) {
			this.circuit.succeeded(permit);
			return false;
		}
		if (failure instanceof UnreadableBucketException) {
			this.circuit.succeeded(permit);
			if (this.warned.compareAndSet(false, true)) {
				logger.log(Level.WARNING, "A bucket of rate limit ''{0}'' cannot be read, which is logged once: {1}",
						this.limitName, failure.getMessage());
			}
		}
		else {
			this.circuit.failed(failure);
		}
		this.failures.accept(failure);
		return true;
	}

}
