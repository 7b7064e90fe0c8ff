package dev.ratelimit.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A {@link RateLimitListener} that may throw, whose first failure is logged.
 */
final class GuardedListener {

	private static final Logger logger = System.getLogger(RateLimitListener.class.getName());

	private final RateLimitListener listener;

	private final AtomicBoolean warned;

	GuardedListener(RateLimitListener listener) {
		this(listener, new AtomicBoolean());
	}

	private GuardedListener(RateLimitListener listener, AtomicBoolean warned) {
		this.listener = listener;
		this.warned = warned;
	}

	/**
	 * Returns the listener for one limit. All limits together warn once.
	 */
	GuardedListener forLimiter(RateLimiter limiter) {
		try {
			return new GuardedListener(this.listener.forLimiter(limiter), this.warned);
		}
		catch (RuntimeException ex) {
			warn(ex);
			return this;
		}
	}

	void tell(Consumer<RateLimitListener> call) {
		try {
			call.accept(this.listener);
		}
		catch (RuntimeException ex) {
			warn(ex);
		}
	}

	private void warn(RuntimeException failure) {
		if (this.warned.compareAndSet(false, true)) {
			logger.log(Level.WARNING, "A RateLimitListener failed, which is logged once: " + this.listener, failure);
		}
	}

}
