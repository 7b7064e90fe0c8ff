package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Is told what limits decide. Every call that reaches a limit is reported once, after the
 * decision and on the thread that learned it.
 * <p>
 * Callbacks are to be short and must not block. What they throw is logged once and never
 * changes the outcome of a call.
 */
public interface RateLimitListener {

	/**
	 * A listener that does nothing.
	 */
	RateLimitListener NO_OP = new RateLimitListener() {
	};

	/**
	 * Returns a listener that tells several.
	 * @param listeners who is told, in this order
	 * @return one listener, whose callbacks never throw
	 */
	static RateLimitListener of(List<RateLimitListener> listeners) {
		return listeners.isEmpty() ? NO_OP : new CompositeRateLimitListener(listeners);
	}

	/**
	 * A call got its tokens at once.
	 * @param limiter the limit
	 * @param key whose bucket was asked; {@code null}: the unkeyed one
	 * @param tokens how many it took
	 */
	default void allowed(RateLimiter limiter, @Nullable String key, long tokens) {
	}

	/**
	 * A call got its tokens after a wait that has just ended.
	 * @param limiter the limit
	 * @param key whose bucket was asked; {@code null}: the unkeyed one
	 * @param tokens how many it took
	 * @param waited how long it waited
	 */
	default void waited(RateLimiter limiter, @Nullable String key, long tokens, Duration waited) {
	}

	/**
	 * A call was refused.
	 * @param limiter the limit
	 * @param key whose bucket was asked; {@code null}: the unkeyed one
	 * @param tokens how many it wanted
	 */
	default void rejected(RateLimiter limiter, @Nullable String key, long tokens) {
	}

	/**
	 * A call gave its place up while it waited.
	 * @param limiter the limit
	 * @param key whose bucket was asked; {@code null}: the unkeyed one
	 * @param tokens how many it wanted
	 */
	default void cancelled(RateLimiter limiter, @Nullable String key, long tokens) {
	}

	/**
	 * A call passed without being asked for tokens, for its key is unlimited.
	 * @param limiter the limit
	 * @param key the key
	 * @param tokens how many it would have taken
	 */
	default void exempt(RateLimiter limiter, @Nullable String key, long tokens) {
	}

	/**
	 * A store did not answer a call. What became of the call is reported by the other
	 * methods, unless it failed.
	 * @param limiter the limit
	 * @param store name of the store
	 * @param failure what the store failed with
	 */
	default void storeFailed(RateLimiter limiter, String store, Throwable failure) {
	}

}
