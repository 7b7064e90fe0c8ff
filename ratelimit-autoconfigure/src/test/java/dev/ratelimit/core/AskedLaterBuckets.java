package dev.ratelimit.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Buckets in memory that answer stages only when told to, as if they were far away.
 */
final class AskedLaterBuckets implements TokenBucketStore.Buckets {

	private final TokenBucketStore.Buckets delegate;

	private final List<Runnable> questions = new ArrayList<>();

	AskedLaterBuckets(TimeSource time, RateLimit limit) {
		this.delegate = new LocalTokenBucketStore(time).open(RateLimiterSettings.of("far away", limit));
	}

	/**
	 * Answers all who have asked so far.
	 */
	void answer() {
		List<Runnable> asked = List.copyOf(this.questions);
		this.questions.clear();
		asked.forEach(Runnable::run);
	}

	@Override
	public CompletionStage<Reservation> reserveAsync(@Nullable String key, long tokens, long maxWaitNanos) {
		CompletableFuture<Reservation> answer = new CompletableFuture<>();
		this.questions.add(() -> answer.complete(this.delegate.reserve(key, tokens, maxWaitNanos)));
		return answer;
	}

	@Override
	public boolean tryAcquire(@Nullable String key, long tokens) {
		return this.delegate.tryAcquire(key, tokens);
	}

	@Override
	public Reservation reserve(@Nullable String key, long tokens, long maxWaitNanos) {
		return this.delegate.reserve(key, tokens, maxWaitNanos);
	}

	@Override
	public long availableTokens(@Nullable String key) {
		return this.delegate.availableTokens(key);
	}

	@Override
	public long keys() {
		return this.delegate.keys();
	}

	@Override
	public void change(RateLimit limit) {
		this.delegate.change(limit);
	}

	@Override
	public void refill(@Nullable String key) {
		this.delegate.refill(key);
	}

	@Override
	public void refillAll() {
		this.delegate.refillAll();
	}

}
