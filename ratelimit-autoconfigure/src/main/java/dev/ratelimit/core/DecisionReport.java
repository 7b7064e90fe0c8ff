package dev.ratelimit.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * Tells the listener and the log what one limit decides. Keys are not logged, for they
 * may be secrets or name persons.
 */
final class DecisionReport {

	private static final Logger logger = System.getLogger(RateLimiter.class.getName());

	private static final long SHADOW_LOG_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final RateLimiter limiter;

	private final RateLimitListener listener;

	private final TimeSource timeSource;

	private final AtomicLong shadowed = new AtomicLong();

	private final AtomicLong shadowLoggedAt;

	DecisionReport(RateLimiter limiter, RateLimitListener listener, TimeSource timeSource) {
		this.limiter = limiter;
		this.listener = listener.forLimiter(limiter);
		this.timeSource = timeSource;
		this.shadowLoggedAt = new AtomicLong(timeSource.nanos() - SHADOW_LOG_NANOS);
	}

	void allowed(@Nullable String key, long tokens) {
		this.listener.allowed(this.limiter, key, tokens);
	}

	void waited(@Nullable String key, long tokens, Duration waited) {
		this.listener.waited(this.limiter, key, tokens, waited);
	}

	void rejected(@Nullable String key, long tokens) {
		this.listener.rejected(this.limiter, key, tokens);
		if (logger.isLoggable(Level.DEBUG)) {
			logger.log(Level.DEBUG, "Rate limit '" + this.limiter.name() + "' refused a call");
		}
	}

	void cancelled(@Nullable String key, long tokens) {
		this.listener.cancelled(this.limiter, key, tokens);
	}

	void storeFailed(String store, Throwable failure) {
		this.listener.storeFailed(this.limiter, store, failure);
	}

	void exempt(@Nullable String key, long tokens) {
		this.listener.exempt(this.limiter, key, tokens);
	}

	void shadowed(@Nullable String key, long tokens) {
		this.listener.shadowed(this.limiter, key, tokens);
		this.shadowed.incrementAndGet();
		long loggedAt = this.shadowLoggedAt.get();
		long now = this.timeSource.nanos();
		if (now - loggedAt >= SHADOW_LOG_NANOS && this.shadowLoggedAt.compareAndSet(loggedAt, now)) {
			logger.log(Level.INFO,
					"Rate limit '" + this.limiter.name() + "' is in shadow mode. Calls that it would not have let"
							+ " pass at once, since the line before: " + this.shadowed.getAndSet(0));
		}
	}

}
