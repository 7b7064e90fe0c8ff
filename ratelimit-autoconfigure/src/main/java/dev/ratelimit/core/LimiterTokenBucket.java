package dev.ratelimit.core;

import java.time.Duration;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * {@link TokenBucket} of one key of a {@link RateLimiter}, which is looked up when first
 * needed.
 */
final class LimiterTokenBucket implements TokenBucket {

	private final Supplier<RateLimiter> lookup;

	private final @Nullable String key;

	private volatile @Nullable RateLimiter limiter;

	LimiterTokenBucket(Supplier<RateLimiter> lookup, @Nullable String key) {
		this.lookup = lookup;
		this.key = key;
	}

	@Override
	public boolean tryAcquire(long tokens) {
		return limiter().tryAcquire(this.key, tokens);
	}

	@Override
	public boolean tryAcquire(long tokens, Duration maxWait) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		return limiter().acquire(new RateLimitRequest(limiter(), this.key, tokens, Waits.nanos(maxWait)));
	}

	@Override
	public Reservation reserve(long tokens, Duration maxWait) {
		return limiter().reserve(this.key, tokens, Waits.nanos(maxWait));
	}

	@Override
	public long availableTokens() {
		return limiter().availableTokens(this.key);
	}

	@Override
	public RateLimit limit() {
		return limiter().settings().limit(this.key);
	}

	@Override
	public String toString() {
		return (this.key != null) ? "%s[%s]".formatted(limiter(), this.key) : limiter().toString();
	}

	private RateLimiter limiter() {
		RateLimiter limiter = this.limiter;
		if (limiter == null) {
			limiter = this.lookup.get();
			this.limiter = limiter;
		}
		return limiter;
	}

}
