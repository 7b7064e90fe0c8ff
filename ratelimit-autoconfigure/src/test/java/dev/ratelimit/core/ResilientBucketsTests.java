package dev.ratelimit.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.core.TokenBucketStore.Buckets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What becomes of calls while a remote store does not answer.
 */
class ResilientBucketsTests {

	private static final RateLimit LIMIT = RateLimit.of(1, Duration.ofHours(1), 5);

	private static final RuntimeException FAILURE = new IllegalStateException("no route to host");

	private final ManualTimeSource clock = new ManualTimeSource();

	private final FragileStore fragile = new FragileStore(this.clock);

	private final TokenBucketStore store = new ResilientTokenBucketStore(this.fragile, this.clock);

	private final List<Throwable> failures = new ArrayList<>();

	private final LogRecords log = LogRecords.of(TokenBucketStore.class);

	@AfterEach
	void stopListening() {
		this.log.close();
	}

	@Test
	void asksTheStoreWhileItAnswers() {
		Buckets buckets = open(StoreFailurePolicy.DENY);
		assertThat(buckets.tryAcquire("key", 5)).isTrue();
		assertThat(buckets.reserve("key", 1, 0).granted()).isFalse();
		assertThat(buckets.availableTokens("key")).isZero();
		assertThat(this.fragile.calls).isEqualTo(3);
		assertThat(this.failures).isEmpty();
		assertThat(this.log.messages()).isEmpty();
	}

	@Test
	void decidesInMemoryWhenTheStoreFails() {
		Buckets buckets = open(StoreFailurePolicy.LOCAL);
		this.fragile.failure = FAILURE;
		assertThat(buckets.tryAcquire("key", 3)).isTrue();
		assertThat(buckets.reserve("key", 3, 0).granted()).isFalse();
		assertThat(buckets.availableTokens("key")).isEqualTo(2);
		assertThat(buckets.keys()).isEqualTo(1);
	}

	@Test
	void letsCallsPassWhenTheStoreFails() {
		Buckets buckets = open(StoreFailurePolicy.ALLOW);
		this.fragile.failure = FAILURE;
		for (int i = 0; i < 10; i++) {
			assertThat(buckets.tryAcquire("key", 5)).isTrue();
			assertThat(buckets.reserve("key", 5, 0).granted()).isTrue();
		}
		assertThat(buckets.availableTokens("key")).isEqualTo(5);
		assertThatIllegalArgumentException().isThrownBy(() -> buckets.tryAcquire("key", 6));
	}

	@Test
	void failsCallsWhenTheStoreFails() {
		Buckets buckets = open(StoreFailurePolicy.DENY);
		this.fragile.failure = FAILURE;
		assertThatExceptionOfType(RateLimitStoreUnavailableException.class)
			.isThrownBy(() -> buckets.tryAcquire("key", 1))
			.withCause(FAILURE)
			.satisfies((ex) -> assertThat(ex.getBucketName()).isEqualTo("limit"));
		assertThatExceptionOfType(RateLimitStoreUnavailableException.class)
			.isThrownBy(() -> buckets.reserve("key", 1, 0))
			.withNoCause();
		assertThat(Callers.failureOf(buckets.reserveAsync("key", 1, 0)))
			.isInstanceOf(RateLimitStoreUnavailableException.class);
	}

	@Test
	void decidesThroughAStageToo() {
		Buckets local = open(StoreFailurePolicy.LOCAL);
		Buckets allow = open(StoreFailurePolicy.ALLOW);
		this.fragile.failure = FAILURE;
		assertThat(local.reserveAsync(null, 5, 0).toCompletableFuture().join().granted()).isTrue();
		assertThat(local.reserveAsync(null, 1, 0).toCompletableFuture().join().granted()).isFalse();
		assertThat(allow.reserveAsync(null, 5, 0).toCompletableFuture().join().granted()).isTrue();
		assertThat(this.fragile.calls).isEqualTo(1);
	}

	@Test
	void doesNotAskAgainDuringTheBackOff() {
		Buckets buckets = open(StoreFailurePolicy.LOCAL);
		this.fragile.failure = FAILURE;
		for (int i = 0; i < 100; i++) {
			buckets.tryAcquire("key", 1);
		}
		assertThat(this.fragile.calls).isEqualTo(1);
		assertThat(this.failures).containsExactly(FAILURE);
	}

	@Test
	void sparesAllLimitsOfTheStore() {
		Buckets one = open(StoreFailurePolicy.LOCAL);
		Buckets other = open(StoreFailurePolicy.ALLOW);
		this.fragile.failure = FAILURE;
		one.tryAcquire("key", 1);
		other.tryAcquire("key", 1);
		assertThat(this.fragile.calls).isEqualTo(1);
	}

	@Test
	void triesAgainWithOneCallAfterTheBackOff() {
		Buckets buckets = open(StoreFailurePolicy.ALLOW);
		this.fragile.failure = FAILURE;
		buckets.tryAcquire("key", 1);
		this.clock.advance(StoreCircuit.BACK_OFF);
		this.fragile.pending = new CompletableFuture<>();
		CompletableFuture<Reservation> trial = buckets.reserveAsync("key", 1, 0).toCompletableFuture();
		buckets.tryAcquire("key", 1);
		assertThat(this.fragile.calls).isEqualTo(2);
		assertThat(trial).isNotDone();
		this.fragile.pending.completeExceptionally(FAILURE);
		assertThat(trial).isCompleted();
		buckets.tryAcquire("key", 1);
		assertThat(this.fragile.calls).isEqualTo(2);
	}

	@Test
	void returnsToTheStoreWhenItAnswersAgain() {
		Buckets buckets = open(StoreFailurePolicy.DENY);
		this.fragile.failure = FAILURE;
		assertThatExceptionOfType(RateLimitStoreUnavailableException.class)
			.isThrownBy(() -> buckets.tryAcquire("key", 1));
		this.fragile.failure = null;
		assertThatExceptionOfType(RateLimitStoreUnavailableException.class)
			.isThrownBy(() -> buckets.tryAcquire("key", 1));
		this.clock.advance(StoreCircuit.BACK_OFF);
		assertThat(buckets.tryAcquire("key", 5)).isTrue();
		assertThat(buckets.tryAcquire("key", 1)).isFalse();
	}

	@Test
	void logsTheStartAndTheEndOfAnOutage() {
		Buckets buckets = open(StoreFailurePolicy.LOCAL);
		this.fragile.failure = FAILURE;
		for (int i = 0; i < 5; i++) {
			buckets.tryAcquire("key", 1);
			this.clock.advance(StoreCircuit.BACK_OFF);
		}
		this.fragile.failure = null;
		buckets.tryAcquire("key", 1);
		buckets.tryAcquire("key", 1);
		assertThat(this.log.messages()).hasSize(2);
		assertThat(this.log.messages().get(0)).startsWith("WARNING").contains("fragile", "no route to host");
		assertThat(this.log.messages().get(1)).startsWith("INFO").contains("fragile", "PT5S");
	}

	@Test
	void isNotPutOffByWhatIsTheCallersFault() {
		Buckets buckets = open(StoreFailurePolicy.LOCAL);
		assertThatIllegalArgumentException().isThrownBy(() -> buckets.tryAcquire("key", 6));
		assertThat(buckets.tryAcquire("key", 5)).isTrue();
		assertThat(this.fragile.calls).isEqualTo(2);
		assertThat(this.failures).isEmpty();
	}

	@Test
	void standsInForASingleBucketThatCannotBeRead() {
		Buckets buckets = open(StoreFailurePolicy.LOCAL);
		this.fragile.failure = new UnreadableBucketException("a list", null);
		assertThat(buckets.tryAcquire("key", 5)).isTrue();
		assertThat(buckets.tryAcquire("key", 1)).isFalse();
		assertThat(this.failures).hasSize(2);
		this.fragile.failure = null;
		assertThat(buckets.tryAcquire("other", 5)).isTrue();
		assertThat(this.fragile.calls).isEqualTo(3);
		assertThat(this.log.messages()).singleElement().asString().contains("limit", "a list");
	}

	@Test
	void appliesAChangedLimitDuringAnOutage() {
		for (StoreFailurePolicy policy : List.of(StoreFailurePolicy.LOCAL, StoreFailurePolicy.ALLOW)) {
			Buckets buckets = open(policy);
			buckets.change(RateLimit.of(1, Duration.ofHours(1), 3));
			this.fragile.failure = FAILURE;
			assertThat(buckets.availableTokens("key")).isEqualTo(3);
		}
	}

	@Test
	void saysThatNothingWasRefilledInTheStore() {
		Buckets buckets = open(StoreFailurePolicy.LOCAL);
		this.fragile.failure = FAILURE;
		buckets.tryAcquire("key", 5);
		assertThatExceptionOfType(RateLimitStoreUnavailableException.class).isThrownBy(() -> buckets.refill("key"));
		assertThatExceptionOfType(RateLimitStoreUnavailableException.class).isThrownBy(buckets::refillAll);
		assertThat(buckets.availableTokens("key")).isEqualTo(5);
	}

	private Buckets open(StoreFailurePolicy policy) {
		RateLimiterSettings settings = new RateLimiterSettings("limit", LIMIT, true, null, null, null, null, 100, null,
				Map.of(), Set.of(), false, "fragile", policy);
		return this.store.open(settings, this.failures::add);
	}

	private static final class FragileStore implements TokenBucketStore {

		private final LocalTokenBucketStore store;

		private RuntimeException failure;

		private CompletableFuture<Reservation> pending;

		private int calls;

		FragileStore(TimeSource timeSource) {
			this.store = new LocalTokenBucketStore(timeSource);
		}

		@Override
		public String name() {
			return "fragile";
		}

		@Override
		public boolean isRemote() {
			return true;
		}

		@Override
		public Buckets open(RateLimiterSettings settings) {
			Buckets buckets = this.store.open(settings);
			return new Buckets() {

				@Override
				public boolean tryAcquire(String key, long tokens) {
					answer();
					return buckets.tryAcquire(key, tokens);
				}

				@Override
				public Reservation reserve(String key, long tokens, long maxWaitNanos) {
					answer();
					return buckets.reserve(key, tokens, maxWaitNanos);
				}

				@Override
				public CompletionStage<Reservation> reserveAsync(String key, long tokens, long maxWaitNanos) {
					if (FragileStore.this.pending != null) {
						FragileStore.this.calls++;
						return FragileStore.this.pending;
					}
					try {
						return CompletableFuture.completedStage(reserve(key, tokens, maxWaitNanos));
					}
					catch (RuntimeException ex) {
						return CompletableFuture.failedStage(ex);
					}
				}

				@Override
				public long availableTokens(String key) {
					answer();
					return buckets.availableTokens(key);
				}

				@Override
				public long keys() {
					return 0;
				}

				@Override
				public void change(RateLimit limit) {
					buckets.change(limit);
				}

				@Override
				public void refill(String key) {
					answer();
					buckets.refill(key);
				}

				@Override
				public void refillAll() {
					answer();
					buckets.refillAll();
				}

			};
		}

		private void answer() {
			this.calls++;
			if (this.failure != null) {
				throw this.failure;
			}
		}

	}

}
