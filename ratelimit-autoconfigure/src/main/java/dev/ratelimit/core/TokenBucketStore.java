package dev.ratelimit.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Where the state of buckets is kept. A store that lives elsewhere answers in two ways,
 * by blocking and by a stage; what a {@link Reservation} gives back goes both ways too.
 */
public interface TokenBucketStore {

	/**
	 * Returns the name by which {@code ratelimit.store} chooses this store.
	 * @return the name, in lower case
	 */
	String name();

	/**
	 * Opens the buckets of one limit: the unkeyed one, and one for each key.
	 * @param settings the settings of the limit
	 * @return its buckets
	 */
	Buckets open(RateLimiterSettings settings);

	/**
	 * Opens the buckets of one limit as {@link #open(RateLimiterSettings)} does, where
	 * somebody wants to know of calls that the store does not answer.
	 * @param settings the settings of the limit
	 * @param failures is told what each such call failed with, if the store decides on it
	 * nevertheless
	 * @return its buckets
	 */
	default Buckets open(RateLimiterSettings settings, Consumer<Throwable> failures) {
		return open(settings);
	}

	/**
	 * Returns whether a call leaves this process, so that it takes long and can fail.
	 * @return {@code true}: every question to the store costs a round trip, initial
	 * tokens are not supported, and what the buckets throw, other than
	 * {@link IllegalArgumentException}, counts as a failure of the store
	 */
	default boolean isRemote() {
		return false;
	}

	/**
	 * Looks whether this store can keep buckets of a limit.
	 * @param limit the limit
	 * @throws InvalidRateLimitException if it cannot
	 */
	default void check(RateLimit limit) {
	}

	/**
	 * The buckets of one limit. A key of {@code null} is the unkeyed bucket. Numbers of
	 * tokens below one or above the capacity throw {@link IllegalArgumentException}.
	 */
	interface Buckets {

		/**
		 * Takes tokens if there are enough.
		 * @param key whose bucket
		 * @param tokens how many
		 * @return whether they were taken
		 */
		boolean tryAcquire(@Nullable String key, long tokens);

		/**
		 * Takes tokens now or promises them for later.
		 * @param key whose bucket
		 * @param tokens how many
		 * @param maxWaitNanos the longest wait in nanoseconds; zero: none;
		 * {@link Long#MAX_VALUE}: any
		 * @return the answer
		 */
		Reservation reserve(@Nullable String key, long tokens, long maxWaitNanos);

		/**
		 * Takes tokens now or promises them for later, without blocking.
		 * @param key whose bucket
		 * @param tokens how many
		 * @param maxWaitNanos the longest wait in nanoseconds
		 * @return a stage of the answer
		 */
		default CompletionStage<Reservation> reserveAsync(@Nullable String key, long tokens, long maxWaitNanos) {
			return CompletableFuture.completedStage(reserve(key, tokens, maxWaitNanos));
		}

		/**
		 * Returns the tokens that could be taken. A bucket is not created for being
		 * asked.
		 * @param key whose bucket
		 * @return from zero to the capacity
		 */
		long availableTokens(@Nullable String key);

		/**
		 * Returns the tokens of the unkeyed bucket as they are known without asking
		 * anybody, for a meter that is read often.
		 * @return from zero to the capacity
		 */
		default long lastSeenTokens() {
			return availableTokens(null);
		}

		/**
		 * Returns the number of keyed buckets held in memory.
		 * @return zero or more
		 */
		long keys();

		/**
		 * Returns the number of keyed buckets that have been dropped to make room though
		 * they were not full, which refilled them.
		 * @return zero or more
		 */
		default long dropped() {
			return 0;
		}

		/**
		 * Puts another limit in force, at once and for all keys. Tokens are kept, up to
		 * the new capacity.
		 * @param limit the limit
		 */
		void change(RateLimit limit);

		/**
		 * Fills one bucket.
		 * @param key whose bucket
		 */
		void refill(@Nullable String key);

		/**
		 * Fills all buckets.
		 */
		void refillAll();

	}

}
