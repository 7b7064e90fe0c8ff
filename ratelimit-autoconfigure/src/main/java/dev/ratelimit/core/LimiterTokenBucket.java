package dev.ratelimit.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * {@link TokenBucket} of one key of a {@link RateLimiter}.
 */
record LimiterTokenBucket(RateLimiter limiter, @Nullable String key) implements TokenBucket {

	@Override
	public boolean tryAcquire(long tokens) {
		return this.limiter.tryAcquire(this.key, tokens);
	}

	@Override
	public boolean tryAcquire(long tokens, Duration maxWait) throws InterruptedException {
		return this.limiter.tryAcquire(this.key, tokens, Waits.nanos(maxWait));
	}

	@Override
	public Reservation reserve(long tokens, Duration maxWait) {
		return this.limiter.reserve(this.key, tokens, Waits.nanos(maxWait));
	}

	@Override
	public long availableTokens() {
		return this.limiter.availableTokens(this.key);
	}

	@Override
	public RateLimit limit() {
		return this.limiter.settings().limit();
	}

}
