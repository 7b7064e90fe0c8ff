package dev.ratelimit.core;

import java.lang.management.ManagementFactory;
import java.time.Duration;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that decisions cost no memory.
 */
class AllocationTests {

	private static final int CALLS = 100_000;

	private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final ManualTimeSource clock = new ManualTimeSource();

	@Test
	void acceptsWithoutAllocating() {
		TokenBucket bucket = TokenBucket.create(RateLimit.of(10, Duration.ofSeconds(1), 1_000_000), this.clock);
		assertThat(bytesOfEachCall(bucket, true)).isLessThan(1);
	}

	@Test
	void refusesWithoutAllocating() {
		TokenBucket bucket = TokenBucket.create(RateLimit.perSecond(10), this.clock);
		bucket.tryAcquire(10);
		assertThat(bytesOfEachCall(bucket, false)).isLessThan(1);
	}

	@Test
	void acceptsOnTheClockOfTheMachineWithoutAllocating() {
		TokenBucket bucket = TokenBucket.create(RateLimit.of(10, Duration.ofSeconds(1), 1_000_000));
		assertThat(bytesOfEachCall(bucket, true)).isLessThan(1);
	}

	@Test
	void refusesBehindAWaitingCallWithoutAllocating() {
		TokenBucket bucket = TokenBucket.create(RateLimit.perSecond(10), this.clock);
		bucket.tryAcquire(10);
		bucket.reserve(10, Duration.ofHours(1));
		assertThat(bytesOfEachCall(bucket, false)).isLessThan(1);
	}

	@Test
	void acceptsAfterACancellationWithoutAllocating() {
		TokenBucket bucket = TokenBucket.create(RateLimit.of(10, Duration.ofSeconds(1), 1_000_000), this.clock);
		bucket.tryAcquire(1_000_000);
		bucket.reserve(10, Duration.ofHours(1)).cancel();
		this.clock.advance(Duration.ofDays(100));
		assertThat(bytesOfEachCall(bucket, true)).isLessThan(1);
	}

	private double bytesOfEachCall(TokenBucket bucket, boolean expected) {
		measure(bucket, expected);
		return (double) measure(bucket, expected) / CALLS;
	}

	private long measure(TokenBucket bucket, boolean expected) {
		int outcomes = 0;
		long before = this.threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < CALLS; i++) {
			if (bucket.tryAcquire(1) == expected) {
				outcomes++;
			}
		}
		long allocated = this.threads.getCurrentThreadAllocatedBytes() - before;
		assertThat(outcomes).isEqualTo(CALLS);
		return allocated;
	}

}
