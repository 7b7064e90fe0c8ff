package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Is told what limits decide. Every call that reaches a limit, from an annotated method
 * or from code, is reported once: when it is admitted, which after a wait is at its end,
 * or refused, or when it gives up; on the thread that learned it. Of several limits on
 * one call, only the one that refuses reports the refusal; the others, whose tokens go
 * back, report nothing.
 * <p>
 * Listeners are told one after the other; beans in their order, as of Spring's
 * {@code @Order}. Callbacks are to be short and must not block. What they throw is logged
 * once for each listener, and neither changes the outcome of a call nor keeps those
 * behind from being told.
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
		return listeners.isEmpty() ? NO_OP : CompositeRateLimitListener.of(listeners);
	}

	/**
	 * Returns who is told of one limit. Asked once, when the limit comes into being, so
	 * that a listener can have at hand what it keeps for each limit.
	 * @param limiter the limit
	 * @return the listener for it; by default this one
	 */
	default RateLimitListener forLimiter(RateLimiter limiter) {
		return this;
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
	 * A call gave its place up while it waited. Reported by all of its limits.
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
	 * A call passed that would have been refused, or had to wait, were the limit not in
	 * shadow mode. It took no tokens.
	 * @param limiter the limit
	 * @param key whose bucket was asked; {@code null}: the unkeyed one
	 * @param tokens how many it wanted
	 */
	default void shadowed(RateLimiter limiter, @Nullable String key, long tokens) {
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
