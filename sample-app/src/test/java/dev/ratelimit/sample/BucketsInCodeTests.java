package dev.ratelimit.sample;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.Reservation;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Shows buckets without Spring.
 */
class BucketsInCodeTests {

	private final ManualTimeSource timeSource = new ManualTimeSource();

	private final List<String> sent = new ArrayList<>();

	@Test
	void takesTokens() throws InterruptedException {
		TokenBucket bucket = TokenBucket.create(RateLimit.of(30, Duration.ofHours(1), 5));

		// takes a token or nothing, at once
		boolean taken = bucket.tryAcquire();

		// takes two tokens, waits a second for them at most
		boolean takenSoon = bucket.tryAcquire(2, Duration.ofSeconds(1));

		// takes two tokens, waits for them as long as it takes
		bucket.acquire(2);

		assertThat(taken).isTrue();
		assertThat(takenSoon).isTrue();
		assertThat(bucket.tryAcquire()).isFalse();
	}

	@Test
	void reservesTokensForLater() {
		TokenBucket bucket = TokenBucket.create(RateLimit.of(30, Duration.ofHours(1), 5), this.timeSource);
		bucket.tryAcquire(5);
		sendLater(bucket, "tea");
		this.timeSource.advance(Duration.ofMinutes(6).minusNanos(1));
		assertThat(this.sent).isEmpty();
		this.timeSource.advance(Duration.ofNanos(1));
		assertThat(this.sent).containsExactly("tea");
	}

	private void sendLater(TokenBucket bucket, String message) {
		Reservation reservation = bucket.reserve(3, Duration.ofMinutes(10));
		if (reservation.granted()) {
			reservation.whenUsable().thenRun(() -> send(message));
		}
	}

	private void send(String message) {
		this.sent.add(message);
	}

}
