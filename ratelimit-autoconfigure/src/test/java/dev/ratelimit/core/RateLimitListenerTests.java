package dev.ratelimit.core;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How several listeners are told.
 */
class RateLimitListenerTests {

	private final List<String> told = new ArrayList<>();

	private final ManualTimeSource time = new ManualTimeSource();

	@Test
	void tellsListenersInTheirOrder() {
		limiter(RateLimitListener.of(List.of(named("first"), named("second")))).bucket().tryAcquire();
		assertThat(this.told).containsExactly("first", "second");
	}

	@Test
	void tellsThoseBehindAListenerThatThrows() {
		TokenBucket bucket = limiter(RateLimitListener.of(List.of(new Failing(), named("second")))).bucket();
		assertThat(bucket.tryAcquire()).isTrue();
		assertThat(bucket.tryAcquire()).isFalse();
		assertThat(this.told).containsExactly("second");
	}

	@Test
	void warnsOnceForEachListenerThatThrowsHoweverManyLimitsThereAre() {
		RateLimitListener listener = RateLimitListener.of(List.of(new Failing(), new Failing()));
		try (LogRecords log = LogRecords.of(RateLimitListener.class)) {
			for (int i = 0; i < 3; i++) {
				TokenBucket bucket = limiter(listener).bucket();
				bucket.tryAcquire();
				bucket.tryAcquire();
			}
			assertThat(log.messages(Level.WARNING)).hasSize(2)
				.allMatch((line) -> line.contains("logged once") && line.contains("Failing"));
		}
	}

	@Test
	void survivesAListenerThatCannotBeMadeForALimit() {
		RateLimitListener failing = new RateLimitListener() {

			@Override
			public RateLimitListener forLimiter(RateLimiter limiter) {
				throw new IllegalStateException("not for " + limiter.name());
			}

		};
		assertThat(limiter(RateLimitListener.of(List.of(failing, named("second")))).bucket().tryAcquire()).isTrue();
		assertThat(this.told).containsExactly("second");
	}

	@Test
	void asksOnceForTheListenerOfALimit() {
		RateLimitListener perLimit = new RateLimitListener() {

			@Override
			public RateLimitListener forLimiter(RateLimiter limiter) {
				RateLimitListenerTests.this.told.add("asked for " + limiter.name());
				return named("own");
			}

		};
		TokenBucket bucket = limiter(RateLimitListener.of(List.of(perLimit))).bucket();
		bucket.tryAcquire();
		assertThat(this.told).containsExactly("asked for orders", "own");
	}

	@Test
	void logsRefusalsForDebuggingOnlyAndWithoutKeys() {
		try (LogRecords log = LogRecords.of(RateLimiter.class)) {
			TokenBucket bucket = limiter(RateLimitListener.NO_OP).bucket("s3cret");
			bucket.tryAcquire();
			bucket.tryAcquire();
			assertThat(log.messages(Level.FINE)).containsExactly("Rate limit 'orders' refused a call");
			assertThat(log.messages(Level.INFO)).isEmpty();
			assertThat(log.messages(Level.WARNING)).isEmpty();
		}
	}

	private RateLimitListener named(String name) {
		return new RateLimitListener() {

			@Override
			public void allowed(RateLimiter limiter, String key, long tokens) {
				RateLimitListenerTests.this.told.add(name);
			}

		};
	}

	private RateLimiter limiter(RateLimitListener listener) {
		return new RateLimiter(RateLimiterSettings.of("orders", RateLimit.perSecond(1)),
				new LocalTokenBucketStore(this.time), this.time, listener);
	}

	private static final class Failing implements RateLimitListener {

		@Override
		public void allowed(RateLimiter limiter, String key, long tokens) {
			throw new IllegalStateException("broken");
		}

		@Override
		public void rejected(RateLimiter limiter, String key, long tokens) {
			throw new IllegalStateException("broken");
		}

	}

}
