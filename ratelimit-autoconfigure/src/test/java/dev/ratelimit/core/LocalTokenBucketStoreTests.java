package dev.ratelimit.core;

/**
 * Tests of the {@link LocalTokenBucketStore}.
 */
class LocalTokenBucketStoreTests extends TokenBucketStoreContractTests {

	@Override
	protected TokenBucketStore store(ManualTimeSource clock) {
		return new LocalTokenBucketStore(clock);
	}

}
