package dev.ratelimit.core;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * {@link TokenBucketStore} that goes on where a remote one fails.
 */
final class ResilientTokenBucketStore implements TokenBucketStore {

	private final TokenBucketStore store;

	private final TokenBucketStore localStore;

	private final StoreCircuit circuit;

	ResilientTokenBucketStore(TokenBucketStore store, TimeSource timeSource) {
		this.store = store;
		this.localStore = new LocalTokenBucketStore(timeSource);
		this.circuit = new StoreCircuit(store.name(), timeSource);
	}

	@Override
	public String name() {
		return this.store.name();
	}

	@Override
	public boolean isRemote() {
		return true;
	}

	@Override
	public void check(RateLimit limit) {
		this.store.check(limit);
	}

	@Override
	public Buckets open(RateLimiterSettings settings) {
		return open(settings, (failure) -> {
		});
	}

	@Override
	public Buckets open(RateLimiterSettings settings, Consumer<Throwable> failures) {
		return new ResilientBuckets(settings.name(), this.store.open(settings), this.circuit, standIn(settings),
				failures);
	}

	private @Nullable Buckets standIn(RateLimiterSettings settings) {
		return switch (settings.onStoreFailure()) {
			case LOCAL -> this.localStore.open(settings);
			case ALLOW -> new UnlimitedBuckets(settings);
			case DENY -> null;
		};
	}

}
