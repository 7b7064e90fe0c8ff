package dev.ratelimit.core;

import org.jspecify.annotations.Nullable;

/**
 * Buckets that are always full.
 */
final class UnlimitedBuckets implements TokenBucketStore.Buckets {

	private volatile RateLimiterSettings settings;

	UnlimitedBuckets(RateLimiterSettings settings) {
		this.settings = settings;
	}

	@Override
	public boolean tryAcquire(@Nullable String key, long tokens) {
		return reserve(key, tokens, 0).granted();
	}

	@Override
	public Reservation reserve(@Nullable String key, long tokens, long maxWaitNanos) {
		long capacity = availableTokens(key);
		if (tokens < 1 || tokens > capacity) {
			throw new IllegalArgumentException(
					"tokens must be from 1 to the capacity, which is %d, but was %d".formatted(capacity, tokens));
		}
		return new GrantedReservation(capacity);
	}

	@Override
	public long availableTokens(@Nullable String key) {
		return this.settings.limit(key).capacity();
	}

	@Override
	public long keys() {
		return 0;
	}

	@Override
	public void change(RateLimit limit) {
		this.settings = this.settings.withLimit(limit);
	}

	@Override
	public void refill(@Nullable String key) {
	}

	@Override
	public void refillAll() {
	}

}
