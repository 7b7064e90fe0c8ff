package dev.ratelimit.redis;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitRedisAutoConfiguration;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.Reservation;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of limits when a master is lost and its replica takes over. Applications
 * know the sentinel alone.
 */
@Timeout(180)
class RedisSentinelTests {

	private static final String MASTER = "limits";

	private static final Duration DAY = Duration.ofDays(1);

	private final List<RedisProcess> servers = new ArrayList<>();

	private RedisProcess master;

	private RedisProcess replica;

	private RedisProcess sentinel;

	@BeforeEach
	void start() {
		this.master = started(RedisProcess.start(RedisProcess.Version.SIX));
		this.replica = started(RedisProcess.start(RedisProcess.Version.SIX, "--replicaof", "127.0.0.1",
				Integer.toString(this.master.port())));
		this.sentinel = started(RedisProcess.startSentinel(MASTER, this.master));
		until(() -> this.replica.text("INFO", "replication").contains("master_link_status:up")
				&& this.sentinel.text("INFO", "sentinel").contains("slaves=1"));
	}

	@AfterEach
	void stop() {
		this.servers.forEach(RedisProcess::close);
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void keepTheirStateInTheReplicaThatTakesOver(String client) {
		application("deny").withPropertyValues("spring.data.redis.client-type=" + client).run((context) -> {
			TokenBucket bucket = bucket(context, "bucket");
			TokenBucket line = bucket(context, "line");
			assertThat(bucket.tryAcquire(7)).isTrue();
			assertThat(line.reserve(10, DAY).waitTime()).isZero();
			assertThat(line.reserve(2, DAY).waitTime()).isCloseTo(Duration.ofHours(2), Duration.ofMinutes(10));
			untilReplicated("ratelimit:bucket", "ratelimit:line");
			failOver();
			until(() -> available(bucket) == 3);
			assertThat(bucket.tryAcquire(3)).isTrue();
			assertThat(bucket.tryAcquire(1)).isFalse();
			Reservation third = line.reserve(3, DAY);
			assertThat(third.waitTime()).isCloseTo(Duration.ofHours(5), Duration.ofMinutes(10));
			third.cancel();
			assertThat(line.reserve(1, DAY).waitTime()).isCloseTo(Duration.ofHours(3), Duration.ofMinutes(10));
		});
	}

	@Test
	void areAsTheReplicaHasSeenThemLast() {
		application("deny").run((context) -> {
			TokenBucket bucket = bucket(context, "bucket");
			assertThat(bucket.tryAcquire(4)).isTrue();
			untilReplicated("ratelimit:bucket");
			assertThat(this.replica.command("REPLICAOF", "127.0.0.1", "1")).isEqualTo("+OK");
			assertThat(bucket.tryAcquire(5)).isTrue();
			failOver();
			until(() -> available(bucket) == 6);
			assertThat(bucket.tryAcquire(6)).isTrue();
			assertThat(bucket.tryAcquire(1)).isFalse();
		});
	}

	@Test
	void grantEachNodeABurstOfItsOwnAtMostMeanwhile() {
		ApplicationContextRunner hasty = application("local").withPropertyValues("ratelimit.redis.timeout=200ms");
		application("deny").run((watch) -> hasty.run((one) -> hasty.run((other) -> {
			TokenBucket watched = bucket(watch, "bucket");
			AtomicInteger granted = new AtomicInteger();
			AtomicBoolean over = new AtomicBoolean();
			List<CompletableFuture<Void>> nodes = Stream.of(one, other)
				.map((node) -> CompletableFuture.runAsync(() -> hammer(bucket(node, "bucket"), granted, over)))
				.toList();
			until(() -> available(watched) == 0);
			untilReplicated("ratelimit:bucket");
			failOver();
			until(() -> available(watched) == 0);
			over.set(true);
			nodes.forEach(CompletableFuture::join);
			assertThat(granted.get()).isBetween(10, 30);
			assertThat(available(watched)).isZero();
		})));
	}

	private static void hammer(TokenBucket bucket, AtomicInteger granted, AtomicBoolean over) {
		while (!over.get()) {
			granted.addAndGet(bucket.tryAcquire(1) ? 1 : 0);
		}
	}

	private void failOver() {
		this.master.kill();
		until(() -> isMaster(this.replica));
	}

	/**
	 * Returns whether a server is a master now. While it becomes one, its clients lose
	 * their connections.
	 */
	private static boolean isMaster(RedisProcess server) {
		try {
			return server.text("INFO", "replication").contains("role:master");
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

	private void untilReplicated(String... keys) {
		for (String key : keys) {
			String state = this.master.text("GET", key);
			assertThat(state).isNotEmpty();
			until(() -> this.replica.text("GET", key).equals(state));
		}
	}

	private ApplicationContextRunner application(String onStoreFailure) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
					RateLimitRedisAutoConfiguration.class, DataRedisAutoConfiguration.class))
			.withPropertyValues(limit("bucket", onStoreFailure))
			.withPropertyValues(limit("line", onStoreFailure))
			.withPropertyValues("ratelimit.store=redis", "ratelimit.redis.timeout=5s",
					"spring.data.redis.sentinel.master=" + MASTER,
					"spring.data.redis.sentinel.nodes=127.0.0.1:" + this.sentinel.port());
	}

	private static String[] limit(String name, String onStoreFailure) {
		String prefix = "ratelimit.buckets." + name;
		return new String[] { prefix + ".rate=1", prefix + ".per=1h", prefix + ".capacity=10",
				prefix + ".on-store-failure=" + onStoreFailure };
	}

	private static TokenBucket bucket(ApplicationContext context, String name) {
		return context.getBean("ratelimit.bucket." + name, TokenBucket.class);
	}

	private static long available(TokenBucket bucket) {
		try {
			return bucket.availableTokens();
		}
		catch (RateLimitStoreUnavailableException ex) {
			return -1;
		}
	}

	private RedisProcess started(RedisProcess server) {
		this.servers.add(server);
		return server;
	}

	private static void until(BooleanSupplier condition) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime() - deadline).isNegative();
			Thread.yield();
		}
	}

}
