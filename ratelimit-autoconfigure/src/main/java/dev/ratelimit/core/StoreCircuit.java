package dev.ratelimit.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Keeps calls from a store that has failed. After a back-off one call at a time tries
 * again, until one succeeds.
 */
final class StoreCircuit {

	static final Duration BACK_OFF = Duration.ofSeconds(1);

	private static final Logger logger = System.getLogger(TokenBucketStore.class.getName());

	private final String store;

	private final TimeSource timeSource;

	private volatile @Nullable Outage outage;

	StoreCircuit(String store, TimeSource timeSource) {
		this.store = store;
		this.timeSource = timeSource;
	}

	/**
	 * Returns whether a call may ask the store now. If so, it reports what became of
	 * that.
	 */
	Permit permit() {
		return (this.outage == null) ? Permit.REGULAR : retry();
	}

	private synchronized Permit retry() {
		Outage outage = this.outage;
		long now = this.timeSource.nanos();
		if (outage == null) {
			return Permit.REGULAR;
		}
		if (now - outage.retryAt() < 0) {
			return Permit.NONE;
		}
		this.outage = new Outage(outage.start(), now + BACK_OFF.toNanos());
		return Permit.TRIAL;
	}

	/**
	 * Takes note of an answer. Late ones, to calls from before the outage, do not end it.
	 */
	void succeeded(Permit permit) {
		if (permit == Permit.TRIAL) {
			end();
		}
	}

	private void end() {
		Outage outage = replace((any) -> null);
		if (outage != null) {
			logger.log(Level.INFO, "The store ''{0}'' of rate limits answers again, after {1}.", this.store,
					Duration.ofNanos(this.timeSource.nanos() - outage.start()));
		}
	}

	/**
	 * Takes note of a failure.
	 */
	void failed(Throwable failure) {
		long now = this.timeSource.nanos();
		Outage outage = replace(
				(current) -> new Outage((current != null) ? current.start() : now, now + BACK_OFF.toNanos()));
		if (outage == null) {
			logger.log(Level.WARNING, "The store ''{0}'' of rate limits does not answer. Until it does, each limit"
					+ " does what its on-store-failure says. Failure: {1}", this.store, failure);
		}
	}

	/**
	 * Replaces the outage, and returns what it was. Nothing is logged meanwhile, for
	 * which others would wait.
	 */
	private synchronized @Nullable Outage replace(Function<@Nullable Outage, @Nullable Outage> next) {
		Outage outage = this.outage;
		this.outage = next.apply(outage);
		return outage;
	}

	/**
	 * Whether to ask the store.
	 */
	enum Permit {

		REGULAR, TRIAL, NONE

	}

	/**
	 * A time without answers.
	 */
	private record Outage(long start, long retryAt) {

	}

}
