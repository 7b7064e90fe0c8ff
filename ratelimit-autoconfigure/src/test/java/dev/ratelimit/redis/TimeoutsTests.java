package dev.ratelimit.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Timeouts}.
 */
@Timeout(30)
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
		assertThatExceptionOfType(CompletionException.class).isThrownBy(future::join)
			.withCauseInstanceOf(TimeoutException.class);
	}

}
