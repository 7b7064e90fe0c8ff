package dev.ratelimit.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the {@link TimeSource} of the machine.
 */
class SystemTimeSourceTests {

	@Test
	void tellsTheTimeOfTheMachine() {
		long before = System.nanoTime();
		long now = TimeSource.system().nanos();
		long after = System.nanoTime();
		assertThat(now - before).isNotNegative();
		assertThat(after - now).isNotNegative();
	}

	@Test
	@Timeout(60)
	void letsRealTimePassBecauseOnlyThatShowsThatItWaitsForTheMachine() throws Exception {
		TokenBucket bucket = TokenBucket.create(RateLimit.of(100, Duration.ofSeconds(1), 1));
		long start = System.nanoTime();
		bucket.acquire();
		bucket.acquire();
		assertThat(
				bucket.reserve(1, Duration.ofSeconds(1)).whenUsable().toCompletableFuture().get(60, TimeUnit.SECONDS))
			.isTrue();
		assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
	}

	@Test
	@Timeout(60)
	void runsATaskOfThePastAtOnceOnADaemonThread() throws Exception {
		CompletableFuture<Boolean> daemon = new CompletableFuture<>();
		TimeSource.system().runAt(System.nanoTime(), () -> daemon.complete(Thread.currentThread().isDaemon()));
		assertThat(daemon.get(60, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void parksNoThreadForAnInstantOfThePast() {
		TimeSource.system().parkUntil(System.nanoTime() - 1);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

}
