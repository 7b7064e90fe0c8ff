package dev.ratelimit.core;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what a {@link TokenBucket} in memory does in plain words.
 */
class TokenBucketTests {

	private final ManualTimeSource clock = new ManualTimeSource();

	private final TokenBucket bucket = TokenBucket.create(RateLimit.perSecond(10), this.clock);

	@Test
	void isFullWhenCreated() {
		assertThat(this.bucket.availableTokens()).isEqualTo(10);
	}

	@Test
	void grantsUntilTheBucketIsEmpty() {
		for (int i = 0; i < 10; i++) {
			assertThat(this.bucket.tryAcquire()).isTrue();
		}
		assertThat(this.bucket.availableTokens()).isZero();
	}

	@Test
	void refusesWhenTheBucketIsEmpty() {
		this.bucket.tryAcquire(10);
		assertThat(this.bucket.tryAcquire()).isFalse();
	}

	@Test
	void refusesMoreThanIsThereAndLeavesIt() {
		this.bucket.tryAcquire(7);
		assertThat(this.bucket.tryAcquire(4)).isFalse();
		assertThat(this.bucket.tryAcquire(3)).isTrue();
	}

	@Test
	void grantsTheEleventhCallAHundredMillisecondsAfterTheFirst() {
		this.bucket.tryAcquire(10);
		this.clock.advance(Duration.ofNanos(99_999_999));
		assertThat(this.bucket.tryAcquire()).isFalse();
		this.clock.advance(Duration.ofNanos(1));
		assertThat(this.bucket.tryAcquire()).isTrue();
	}

	@Test
	void refillsAtTheRate() {
		this.bucket.tryAcquire(10);
		this.clock.advance(Duration.ofMillis(350));
		assertThat(this.bucket.availableTokens()).isEqualTo(3);
	}

	@Test
	void neverHoldsMoreThanItsCapacity() {
		this.clock.advance(Duration.ofDays(1));
		assertThat(this.bucket.availableTokens()).isEqualTo(10);
		assertThat(this.bucket.tryAcquire(10)).isTrue();
		assertThat(this.bucket.tryAcquire()).isFalse();
	}

	@Test
	void tellsItsLimit() {
		assertThat(this.bucket.limit()).isEqualTo(RateLimit.perSecond(10));
	}

	@Test
	void runsOnTheClockOfTheMachineUnlessToldOtherwise() {
		TokenBucket created = TokenBucket.create(RateLimit.of(1, Duration.ofDays(365), 2));
		assertThat(created.tryAcquire(2)).isTrue();
		assertThat(created.tryAcquire()).isFalse();
	}

	@Test
	void sharesNothingWithAnotherBucketOfTheSameLimit() {
		TokenBucket other = TokenBucket.create(RateLimit.perSecond(10), this.clock);
		this.bucket.tryAcquire(10);
		assertThat(other.availableTokens()).isEqualTo(10);
	}

}
