package dev.ratelimit.core;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that buckets of keys stay as long as they are not full, however long that is.
 */
class KeyedBucketLifeTests {

	private final ManualTimeSource time = new ManualTimeSource();

	@ParameterizedTest
	@CsvSource({ "1, PT1S, 9007199254740992", "1, P365D, 9007199254740992", "10, PT1S, 9007199254740992",
			"0.1, PT1S, 4294967296", "1, PT1S, 1", "1, P36500D, 1", "1, P18250D, 2", "2, P36500D, 1" })
	void staysEmptyUntilTheNextToken(double rate, Duration per, long capacity) {
		RateLimit limit = RateLimit.of(rate, per, capacity);
		RateLimiter limiter = new RateLimiter(RateLimiterSettings.of("limit", limit),
				new LocalTokenBucketStore(this.time), this.time, RateLimitListener.NO_OP);
		TokenBucket bucket = limiter.bucket("key");
		assertThat(bucket.tryAcquire(capacity)).isTrue();
		assertThat(bucket.tryAcquire()).isFalse();
		Duration wait = bucket.reserve(1, Duration.ZERO).waitTime();
		this.time.advance(wait.minusNanos(1));
		assertThat(limiter.bucket("key").tryAcquire()).isFalse();
		this.time.advance(Duration.ofNanos(1));
		assertThat(limiter.bucket("key").tryAcquire()).isTrue();
		assertThat(limiter.bucket("key").tryAcquire()).isFalse();
	}

}
