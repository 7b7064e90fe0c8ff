package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Tells several listeners in order, and keeps what they throw from the call.
 */
final class CompositeRateLimitListener implements RateLimitListener {

	private final GuardedListener[] listeners;

	private CompositeRateLimitListener(GuardedListener[] listeners) {
		this.listeners = listeners;
	}

	static CompositeRateLimitListener of(List<RateLimitListener> listeners) {
		return new CompositeRateLimitListener(
				listeners.stream().map(GuardedListener::new).toArray(GuardedListener[]::new));
	}

	@Override
	public RateLimitListener forLimiter(RateLimiter limiter) {
		GuardedListener[] own = new GuardedListener[this.listeners.length];
		for (int i = 0; i < own.length; i++) {
			own[i] = this.listeners[i].forLimiter(limiter);
		}
		return new CompositeRateLimitListener(own);
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
	public void shadowed(RateLimiter limiter, @Nullable String key, long tokens) {
		tell((listener) -> listener.shadowed(limiter, key, tokens));
	}

	@Override
	public void storeFailed(RateLimiter limiter, String store, Throwable failure) {
		tell((listener) -> listener.storeFailed(limiter, store, failure));
	}

	private void tell(Consumer<RateLimitListener> call) {
		for (GuardedListener listener : this.listeners) {
			listener.tell(call);
		}
	}

}
