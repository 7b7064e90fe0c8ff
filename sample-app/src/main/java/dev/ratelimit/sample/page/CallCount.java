package dev.ratelimit.sample.page;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimiter;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls that passed a gate, and those it refused.
 */
final class CallCount implements RateLimitListener {

	private final LongAdder accepted = new LongAdder();

	private final LongAdder refused = new LongAdder();

	@Override
	public void allowed(RateLimiter limiter, @Nullable String key, long tokens) {
		accepted();
	}

	@Override
	public void waited(RateLimiter limiter, @Nullable String key, long tokens, Duration waited) {
		accepted();
	}

	@Override
	public void shadowed(RateLimiter limiter, @Nullable String key, long tokens) {
		accepted();
	}

	@Override
	public void rejected(RateLimiter limiter, @Nullable String key, long tokens) {
		refused();
	}

	void accepted() {
		this.accepted.increment();
	}

	void refused() {
		this.refused.increment();
	}

	GateState state(long tokens, long capacity, @Nullable RateLimit limit, int waiting) {
		return new GateState(tokens, capacity, limit, this.accepted.sum(), this.refused.sum(), waiting);
	}

}
