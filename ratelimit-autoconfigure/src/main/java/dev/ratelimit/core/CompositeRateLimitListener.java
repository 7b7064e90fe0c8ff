package dev.ratelimit.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Tells several listeners in order, and keeps what they throw from the call.
 */
final class CompositeRateLimitListener implements RateLimitListener {

	private static final Logger logger = System.getLogger(CompositeRateLimitListener.class.getName());

	private final List<RateLimitListener> listeners;

	private final AtomicBoolean warned = new AtomicBoolean();

	CompositeRateLimitListener(List<RateLimitListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void allowed(RateLimiter limiter, @Nullable String key, long tokens) {
		tell((listener) -> listener.allowed(limiter, key, tokens));
	}

	@Override
	public void waited(RateLimiter limiter, @Nullable String key, long tokens, Duration waited) {
		tell((listener) -> listener.waited(limiter, key, tokens, waited));
	}

	@Override
	public void rejected(RateLimiter limiter, @Nullable String key, long tokens) {
		tell((listener) -> listener.rejected(limiter, key, tokens));
	}

	@Override
	public void cancelled(RateLimiter limiter, @Nullable String key, long tokens) {
		tell((listener) -> listener.cancelled(limiter, key, tokens));
	}

	@Override
	public void exempt(RateLimiter limiter, @Nullable String key, long tokens) {
		tell((listener) -> listener.exempt(limiter, key, tokens));
	}

	@Override
	public void storeFailed(RateLimiter limiter, String store, Throwable failure) {
		tell((listener) -> listener.storeFailed(limiter, store, failure));
	}

	private void tell(Consumer<RateLimitListener> call) {
		for (RateLimitListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (RuntimeException ex) {
				if (this.warned.compareAndSet(false, true)) {
					logger.log(Level.WARNING, "A RateLimitListener failed, which is logged once: " + listener, ex);
				}
			}
		}
	}

}
