package dev.ratelimit.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimiterSettings;
import dev.ratelimit.core.Reservation;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucketStore.Buckets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One limit in several nodes.
 */
@Timeout(120)
class RedisNodesTests {

	private static final Duration PATIENT = Duration.ofSeconds(30);

	private static final long ANY_WAIT = Long.MAX_VALUE;

	private static final RateLimit LIMIT = RateLimit.of(10, Duration.ofSeconds(1), 10);

	private static RedisProcess server;

	private static LettuceConnectionFactory connections;

	private final ManualTimeSource clock = new ManualTimeSource(1_700_000_000_000_000_000L);

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
	void waitInOneLine() {
		Buckets one = node(LIMIT);
		Buckets other = node(LIMIT);
		assertThat(one.tryAcquire(null, 10)).isTrue();
		for (int i = 0; i < 10; i++) {
			Buckets node = (i % 2 == 0) ? one : other;
			assertThat(node.reserve(null, 1, ANY_WAIT).waitTime()).isEqualTo(Duration.ofMillis(100 * (i + 1)));
		}
		assertThat(other.reserve(null, 1, Duration.ofSeconds(1).toNanos()).granted()).isFalse();
	}

	@Test
	void giveTokensBackToEachOther() {
		Buckets one = node(LIMIT);
		Buckets other = node(LIMIT);
		Reservation ten = one.reserve(null, 10, 0);
		assertThat(other.tryAcquire(null, 1)).isFalse();
		ten.cancel();
		assertThat(other.tryAcquire(null, 10)).isTrue();
	}

	@Test
	void neitherMintNorLockOutWhileTheLimitDiffersBetweenThem() {
		RateLimit changed = RateLimit.of(7, Duration.ofSeconds(1), 4);
		List<Buckets> nodes = List.of(node(LIMIT), node(changed));
		nodes.get(0).tryAcquire(null, 10);
		int granted = 0;
		int calls = 20_000;
		for (int i = 0; i < calls; i++) {
			this.clock.advance(Duration.ofMillis(1));
			granted += nodes.get(i % 2).tryAcquire(null, 1) ? 1 : 0;
		}
		assertThat(granted).isBetween(calls * 7 / 1000, calls * 10 / 1000);
	}

	@Test
	void areNeitherLockedOutNorGivenTokensByAClockThatStepsBack() {
		Buckets buckets = node(LIMIT);
		AtomicInteger hours = new AtomicInteger();
		Buckets behind = node(LIMIT, () -> TimeUnit.HOURS.toMicros(hours.get()));
		assertThat(buckets.tryAcquire(null, 8)).isTrue();
		hours.set(-5);
		assertThat(behind.availableTokens(null)).isEqualTo(2);
		assertThat(behind.tryAcquire(null, 3)).isFalse();
		this.clock.advance(Duration.ofMillis(100));
		assertThat(behind.tryAcquire(null, 3)).isTrue();
		assertThat(behind.tryAcquire(null, 1)).isFalse();
		hours.set(-10);
		assertThat(behind.tryAcquire(null, 1)).isFalse();
		this.clock.advance(Duration.ofMillis(100));
		assertThat(behind.tryAcquire(null, 1)).isTrue();
	}

	@Test
	void leaveOneKeyThatExpiresWhenTheBucketIsFull() {
		Buckets buckets = new RedisTokenBucketStore(connections, "p:", PATIENT, TimeSource.system())
			.open(RateLimiterSettings.of("orders", RateLimit.of(1, Duration.ofSeconds(100), 10)));
		assertThat(buckets.tryAcquire("alice", 3)).isTrue();
		assertThat(server.command("DBSIZE")).isEqualTo(":1");
		long millis = Long.parseLong(server.command("PTTL", "p:orders:alice").substring(1));
		assertThat(millis).isBetween(Duration.ofSeconds(200).toMillis(), Duration.ofSeconds(300).toMillis() + 2);
	}

	@Test
	void leaveNothingForAFullBucket() {
		Buckets buckets = node(LIMIT);
		assertThat(buckets.availableTokens("asked")).isEqualTo(10);
		buckets.reserve("cancelled", 5, 0).cancel();
		buckets.tryAcquire("refilled", 5);
		buckets.refill("refilled");
		assertThat(server.command("DBSIZE")).isEqualTo(":0");
	}

	@Test
	void grantOneLimitTogetherAsProcesses() throws Exception {
		List<Process> processes = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			processes.add(new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
					System.getProperty("java.class.path"), Node.class.getName(), Integer.toString(server.port()))
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start());
		}
		int granted = 0;
		for (Process process : processes) {
			granted += granted(process);
		}
		assertThat(granted).isEqualTo(Node.LIMIT.capacity());
	}

	private static int granted(Process process) throws IOException {
		try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
			return Integer.parseInt(output.readLine());
		}
		finally {
			process.destroyForcibly();
		}
	}

	private Buckets node(RateLimit limit) {
		return node(limit, () -> 0);
	}

	private Buckets node(RateLimit limit, LongSupplier offsetMicros) {
		return new RedisTokenBucketStore(connections, "nodes:", PATIENT, this.clock,
				() -> Long.toString(TimeUnit.NANOSECONDS.toMicros(this.clock.nanos()) + offsetMicros.getAsLong()))
			.open(RateLimiterSettings.of("limit", limit));
	}

	/**
	 * A process that takes what it can with several threads, and prints how much that
	 * was.
	 */
	static final class Node {

		static final RateLimit LIMIT = RateLimit.of(1, Duration.ofDays(1), 1_000);

		private static final int THREADS = 4;

		private Node() {
		}

		public static void main(String[] args) throws InterruptedException {
			LettuceConnectionFactory connections = Connections.lettuce(Integer.parseInt(args[0]));
			Buckets buckets = new RedisTokenBucketStore(connections, "processes:", PATIENT, TimeSource.system())
				.open(RateLimiterSettings.of("limit", LIMIT));
			AtomicInteger granted = new AtomicInteger();
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				Thread thread = new Thread(() -> {
					for (int call = 0; call < LIMIT.capacity() / 2; call++) {
						granted.addAndGet(buckets.tryAcquire("hot", 1) ? 1 : 0);
					}
				});
				threads.add(thread);
				thread.start();
			}
			for (Thread thread : threads) {
				thread.join();
			}
			System.out.println(granted.get());
			Runtime.getRuntime().halt(0);
		}

	}

}
