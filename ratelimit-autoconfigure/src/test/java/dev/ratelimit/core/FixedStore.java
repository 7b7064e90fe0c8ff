package dev.ratelimit.core;

/**
 * {@link TokenBucketStore} with the same buckets for every limit.
 */
record FixedStore(TokenBucketStore.Buckets buckets) implements TokenBucketStore {

	@Override
	public String name() {
		return "fixed";
	}

	@Override
	public Buckets open(RateLimiterSettings settings) {
		return this.buckets;
	}

}
