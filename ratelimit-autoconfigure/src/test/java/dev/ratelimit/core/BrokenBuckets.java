package dev.ratelimit.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Buckets in a store that does not answer.
 */
class BrokenBuckets implements TokenBucketStore.Buckets {

	@Override
	public boolean tryAcquire(@Nullable String key, long tokens) {
		throw failure();
	}

	@Override
	public Reservation reserve(@Nullable String key, long tokens, long maxWaitNanos) {
		throw failure();
	}

	@Override
	public CompletionStage<Reservation> reserveAsync(@Nullable String key, long tokens, long maxWaitNanos) {
		return CompletableFuture.failedStage(failure());
	}

	@Override
	public long availableTokens(@Nullable String key) {
		throw failure();
	}

	@Override
	public long keys() {
		return 0;
	}

	@Override
	public void change(RateLimit limit) {
	}

	@Override
	public void refill(@Nullable String key) {
	}

	@Override
	public void refillAll() {
	}

	private static RateLimitStoreUnavailableException failure() {
		return new RateLimitStoreUnavailableException("broken", null);
	}

}
