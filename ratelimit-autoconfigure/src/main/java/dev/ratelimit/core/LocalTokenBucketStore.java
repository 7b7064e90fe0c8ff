package dev.ratelimit.core;

/**
 * {@link TokenBucketStore} in the memory of this process.
 */
public final class LocalTokenBucketStore implements TokenBucketStore {

	/**
	 * Name of this store.
	 */
	public static final String NAME = "local";

	private final TimeSource timeSource;

	/**
	 * Creates a store.
	 * @param timeSource the clock by which its buckets are refilled
	 */
	public LocalTokenBucketStore(TimeSource timeSource) {
		this.timeSource = timeSource;
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public Buckets open(RateLimiterSettings settings) {
		return new LocalBuckets(settings, this.timeSource);
	}

}
