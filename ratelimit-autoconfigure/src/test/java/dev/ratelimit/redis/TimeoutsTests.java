package dev.ratelimit.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Timeouts}.
 */
class TimeoutsTests {

	private final Timeouts timeouts = new Timeouts(Duration.ofMillis(20));

	@Test
	void failsWhatIsLate() {
		CompletableFuture<String> done = this.timeouts.limit(new CompletableFuture<>());
		CompletableFuture<String> late = this.timeouts.limit(new CompletableFuture<>());
		done.complete("in time");
		assertFails(late);
		assertThat(done.join()).isEqualTo("in time");
	}

	@Test
	void setsTheAlarmAgainForThoseThatComeLater() {
		for (int i = 0; i < 3; i++) {
			assertFails(this.timeouts.limit(new CompletableFuture<>()));
		}
	}

	@Test
	void doesNotFailEarly() {
		this.timeouts.limit(new CompletableFuture<>()).complete(null);
		long start = System.nanoTime();
		assertFails(this.timeouts.limit(new CompletableFuture<>()));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
	}

	private static void assertFails(CompletableFuture<?> future) {
		assertThat(future).failsWithin(Duration.ofSeconds(30))
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(TimeoutException.class);
	}

}
