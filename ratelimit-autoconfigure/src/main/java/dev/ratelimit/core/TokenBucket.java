package dev.ratelimit.core;

import java.time.Duration;

/**
 * A token bucket: it is refilled at the rate of its {@link RateLimit} up to the capacity,
 * and a call that takes tokens passes when there are enough.
 * <p>
 * Grants are made in order of arrival: while a call waits, later ones wait behind it.
 * Implementations are safe for use by several threads.
 * <p>
 * All methods that take a number of tokens throw {@link IllegalArgumentException} where
 * the number is zero, negative, or more than the capacity and so could never pass, and
 * {@link RateLimitStoreUnavailableException} where the bucket lives in a store that does
 * not answer and that was told to deny.
 */
public interface TokenBucket {

	/**
	 * Creates a full bucket in memory.
	 * @param limit the limit
	 * @return a new bucket
	 */
	static TokenBucket create(RateLimit limit) {
		return create(limit, TimeSource.system());
	}

	/**
	 * Creates a full bucket in memory on a clock of the caller's.
	 * @param limit the limit
	 * @param timeSource the clock by which the bucket is refilled
	 * @return a new bucket
	 */
	static TokenBucket create(RateLimit limit, TimeSource timeSource) {
		return new LocalTokenBucket(new TokenClock(limit, timeSource));
	}

	/**
	 * Takes one token if there is one.
	 * @return whether it was taken
	 */
	default boolean tryAcquire() {
		return tryAcquire(1);
	}

	/**
	 * Takes tokens if there are enough. A refusal takes nothing.
	 * @param tokens how many, from 1 to the capacity
	 * @return whether they were taken
	 */
	boolean tryAcquire(long tokens);

	/**
	 * Takes tokens, parking the calling thread until they are there, but not at all if
	 * that would last longer than {@code maxWait}.
	 * @param tokens how many, from 1 to the capacity
	 * @param maxWait the longest wait; zero or less: none
	 * @return whether they were taken
	 * @throws InterruptedException if the thread is interrupted on entry or while it
	 * waits; its tokens have gone back
	 */
	default boolean tryAcquire(long tokens, Duration maxWait) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		return reserve(tokens, maxWait).await();
	}

	/**
	 * Takes one token, parking the calling thread until it is there.
	 * @throws InterruptedException if the thread is interrupted on entry or while it
	 * waits; its token has gone back
	 */
	default void acquire() throws InterruptedException {
		acquire(1);
	}

	/**
	 * Takes tokens, parking the calling thread until they are there.
	 * @param tokens how many, from 1 to the capacity
	 * @throws InterruptedException if the thread is interrupted on entry or while it
	 * waits; its tokens have gone back
	 * @throws IllegalStateException if so many calls wait already that the tokens are
	 * decades away, further than can be counted
	 */
	default void acquire(long tokens) throws InterruptedException {
		if (!tryAcquire(tokens, Waits.UNBOUNDED)) {
			throw new IllegalStateException(
					"so many calls wait already that the tokens are further away than can be counted");
		}
	}

	/**
	 * Takes tokens now or promises them for later, without parking: the caller waits by
	 * itself, or lets the reservation do it.
	 * @param tokens how many, from 1 to the capacity
	 * @param maxWait the longest wait the caller would accept; zero or less: none
	 * @return the answer, granted or refused
	 */
	Reservation reserve(long tokens, Duration maxWait);

	/**
	 * Returns the tokens that could be taken at this moment.
	 * @return from zero (also while calls wait) to the capacity
	 */
	long availableTokens();

	/**
	 * Returns the limit in force.
	 * @return the limit
	 */
	RateLimit limit();

}
