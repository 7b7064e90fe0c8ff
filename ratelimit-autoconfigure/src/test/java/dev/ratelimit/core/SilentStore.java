package dev.ratelimit.core;

/**
 * A store elsewhere that never answers.
 */
public final class SilentStore implements TokenBucketStore {

	@Override
	public String name() {
		return "silent";
	}

	@Override
	public boolean isRemote() {
		return true;
	}

	@Override
	public Buckets open(RateLimiterSettings settings) {
		return new SilentBuckets();
	}

	private static final class SilentBuckets implements Buckets {

		@Override
		public boolean tryAcquire(String key, long tokens) {
			throw new IllegalStateException("silence");
		}

		@Override
		public Reservation reserve(String key, long tokens, long maxWaitNanos) {
			throw new IllegalStateException("silence");
		}

		@Override
		public long availableTokens(String key) {
			throw new IllegalStateException("silence");
		}

		@Override
		public long lastSeenTokens() {
			return 0;
		}

		@Override
		public long keys() {
			return 0;
		}

		@Override
		public void change(RateLimit limit) {
		}

		@Override
		public void refill(String key) {
			throw new IllegalStateException("silence");
		}

		@Override
		public void refillAll() {
			throw new IllegalStateException("silence");
		}

	}

}
