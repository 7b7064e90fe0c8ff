package dev.ratelimit.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimiterSettings;
import dev.ratelimit.core.Reservation;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucketStore.Buckets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Equal calls that come at once, and travel as one operation and its number.
 */
class EqualCallsTests {

	private static RedisProcess server;

	private static LettuceConnectionFactory connections;

	private final AtomicLong micros = new AtomicLong(1_700_000_000_000_000L);

	private final Buckets buckets = new RedisTokenBucketStore(connections, "ratelimit:", Duration.ofSeconds(30),
			TimeSource.system(), () -> this.micros.toString())
		.open(RateLimiterSettings.of("equal", RateLimit.of(1, Duration.ofSeconds(1), 10)));

	@BeforeAll
	static void start() {
		server = RedisProcess.start();
		connections = Connections.lettuce(server);
	}

	@AfterAll
	static void stop() {
		Connections.close(connections, server);
	}

	@BeforeEach
	void empty() {
		assertThat(server.command("FLUSHALL")).isEqualTo("+OK");
	}

	@Test
	void areGrantedInOrderUntilTheTokensAreGone() {
		List<Reservation> reservations = reserve(50, 3);
		assertThat(reservations.subList(0, 3)).extracting(Reservation::granted).containsOnly(true);
		assertThat(reservations.subList(0, 3)).extracting(Reservation::availableTokens).containsExactly(7L, 4L, 1L);
		assertThat(reservations.subList(3, 50)).allSatisfy((reservation) -> {
			assertThat(reservation.granted()).isFalse();
			assertThat(reservation.availableTokens()).isEqualTo(1);
			assertThat(reservation.waitTime()).isEqualTo(Duration.ofSeconds(2));
		});
	}

	@Test
	void giveTheirTokensBackInAnyOrder() {
		List<Reservation> reservations = reserve(4, 2);
		reservations.get(1).cancel();
		assertThat(this.buckets.availableTokens(null)).isEqualTo(4);
		reservations.get(3).cancel();
		reservations.get(0).cancel();
		reservations.get(2).cancel();
		assertThat(this.buckets.availableTokens(null)).isEqualTo(10);
	}

	@Test
	void giveBackWhatHasNotBeenRefilledMeanwhile() {
		List<Reservation> reservations = reserve(4, 2);
		this.micros.addAndGet(TimeUnit.SECONDS.toMicros(5));
		assertThat(this.buckets.availableTokens(null)).isEqualTo(7);
		reservations.get(1).cancel();
		assertThat(this.buckets.availableTokens(null)).isEqualTo(7);
		reservations.get(3).cancel();
		assertThat(this.buckets.availableTokens(null)).isEqualTo(9);
	}

	/**
	 * Makes calls while the server answers none, so that all but the first travel
	 * together.
	 */
	private List<Reservation> reserve(int calls, long tokens) {
		assertThat(server.command("CLIENT", "PAUSE", "60000", "WRITE")).isEqualTo("+OK");
		List<CompletableFuture<Reservation>> reservations = Stream
			.generate(() -> this.buckets.reserveAsync(null, tokens, 0).toCompletableFuture())
			.limit(calls)
			.toList();
		assertThat(server.command("CLIENT", "UNPAUSE")).isEqualTo("+OK");
		return reservations.stream().map(CompletableFuture::join).toList();
	}

}
