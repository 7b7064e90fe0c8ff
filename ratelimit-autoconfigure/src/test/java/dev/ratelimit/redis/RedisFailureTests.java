package dev.ratelimit.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.ratelimit.core.ConfiguredLimit;
import dev.ratelimit.core.LocalTokenBucketStore;
import dev.ratelimit.core.LogRecords;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.RateLimiterSettings;
import dev.ratelimit.core.Reservation;
import dev.ratelimit.core.StoreFailurePolicy;
import dev.ratelimit.core.TokenBucket;
import dev.ratelimit.core.TokenBucketStore;
import dev.ratelimit.core.TokenBucketStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of calls when Redis is in trouble. The clock of the limits stands still
 * unless moved, so that a failed store is tried again only when the test says so.
 */
@Timeout(120)
class RedisFailureTests {

	/**
	 * Long enough for a server that answers, however loaded the machine.
	 */
	private static final Duration PATIENT = Duration.ofSeconds(20);

	/**
	 * For servers that do not answer.
	 */
	private static final Duration HASTY = Duration.ofMillis(100);

	private static final Duration BACK_OFF = Duration.ofSeconds(1);

	private final ManualTimeSource clock = new ManualTimeSource();

	private final List<String> failures = new CopyOnWriteArrayList<>();

	private final List<AutoCloseable> resources = new ArrayList<>();

	private final LogRecords log = LogRecords.of(TokenBucketStore.class);

	@AfterEach
	void close() throws Exception {
		this.log.close();
		for (AutoCloseable resource : this.resources) {
			resource.close(); // servers first: clients wait for those that are silent
		}
	}

	@Test
	void goesOnWithoutAServerThatWasKilledAndReturnsToItWhenItIsBack() throws IOException {
		RedisProcess server = server();
		LettuceConnectionFactory connections = lettuce(server.port());
		RateLimiterRegistry patient = registry(connections, PATIENT);
		assertThat(patient.get("local").bucket().tryAcquire(5)).isTrue();
		server.kill();
		RateLimiterRegistry registry = registry(connections, HASTY);
		TokenBucket local = registry.get("local").bucket();
		assertThat(local.tryAcquire(5)).isTrue();
		assertThat(local.tryAcquire(1)).isFalse();
		assertThat(registry.get("allow").bucket().tryAcquire(5)).isTrue();
		assertThat(registry.get("allow").bucket().tryAcquire(5)).isTrue();
		assertThatExceptionOfType(RateLimitStoreUnavailableException.class)
			.isThrownBy(() -> registry.get("deny").bucket().tryAcquire(1));
		assertThat(this.failures).containsExactly("local redis");
		server.launch();
		untilAsked(() -> local.availableTokens() == 5);
		assertThat(local.tryAcquire(5)).isTrue();
		assertThat(local.tryAcquire(1)).isFalse();
		assertThat(this.log.messages()).hasSize(2);
		assertThat(this.log.messages().get(0)).contains("'redis'", "does not answer");
		assertThat(this.log.messages().get(1)).contains("'redis'", "answers again");
	}

	@Test
	void sendsNothingLaterThatWasGivenUpDuringAnOutage() throws IOException {
		RedisProcess server = server();
		LettuceConnectionFactory connections = lettuce(server.port());
		registry(connections, PATIENT).get("local").bucket().availableTokens();
		server.kill();
		TokenBucket bucket = registry(connections, HASTY).get("deny").bucket();
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(RateLimitStoreUnavailableException.class).isThrownBy(() -> bucket.tryAcquire(1));
			this.clock.advance(BACK_OFF);
		}
		server.launch();
		assertThat(registry(connections, PATIENT).get("deny").bucket().availableTokens()).isEqualTo(5);
	}

	@Test
	void boundsWhatCallsLoseToAServerThatAcceptsAndNeverAnswers() throws IOException {
		TokenBucket bucket = registry(lettuce(silentServer()), HASTY).get("local").bucket();
		long start = System.nanoTime();
		assertThat(bucket.tryAcquire(5)).isTrue();
		for (int i = 0; i < 1_000; i++) {
			assertThat(bucket.tryAcquire(1)).isFalse();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
		assertThat(this.failures).hasSize(1);
	}

	@Test
	void boundsWhatCallsOfABlockingClientLose() throws IOException {
		JedisConnectionFactory connections = Connections.jedis(silentServer());
		this.resources.add(connections::destroy);
		TokenBucket bucket = registry(connections, HASTY).get("local").bucket();
		assertThat(bucket.tryAcquire(5)).isTrue();
		assertThat(bucket.tryAcquire(1)).isFalse();
		assertThat(this.failures).hasSize(1);
	}

	@Test
	void neverBlocksACallerWhoTakesAStage() throws IOException {
		TokenBucketStore store = store(lettuce(silentServer()), Duration.ofMinutes(10));
		CompletableFuture<Reservation> answer = store.open(RateLimiterSettings.of("limit", limit()))
			.reserveAsync(null, 1, 0)
			.toCompletableFuture();
		assertThat(answer).isNotDone();
	}

	@Test
	void goesOnWithoutAServerThatIsSlow() {
		RedisProcess server = server();
		LettuceConnectionFactory connections = lettuce(server.port());
		registry(connections, PATIENT).get("local").bucket().availableTokens();
		TokenBucket bucket = registry(connections, HASTY).get("local").bucket();
		assertThat(server.command("CLIENT", "PAUSE", "600000")).isEqualTo("+OK");
		assertThat(bucket.tryAcquire(5)).isTrue();
		assertThat(bucket.tryAcquire(1)).isFalse();
		assertThat(this.failures).hasSize(1);
	}

	@Test
	void goesOnWhereScriptsAreForbidden() {
		RedisProcess server = RedisProcess.start("--rename-command", "EVALSHA", "", "--rename-command", "EVAL", "");
		this.resources.add(server);
		TokenBucket bucket = registry(lettuce(server.port()), PATIENT).get("local").bucket();
		assertThat(bucket.tryAcquire(5)).isTrue();
		assertThat(bucket.tryAcquire(1)).isFalse();
		assertThat(this.failures).hasSize(1);
		assertThat(this.log.messages()).singleElement().asString().containsIgnoringCase("unknown command");
	}

	@Test
	void survivesAFlushOfScripts() {
		RedisProcess server = server();
		for (RedisConnectionFactory connections : List.of(lettuce(server.port()), jedis(server))) {
			TokenBucket bucket = registry(connections, PATIENT).get("deny").bucket(connections.toString());
			assertThat(bucket.tryAcquire(4)).isTrue();
			assertThat(server.command("SCRIPT", "FLUSH")).isEqualTo("+OK");
			assertThat(bucket.tryAcquire(2)).isFalse();
			assertThat(bucket.tryAcquire(1)).isTrue();
		}
		assertThat(this.failures).isEmpty();
	}

	@Test
	void standsInForASingleKeyUnderWhichSomethingElseIsStored() {
		RedisProcess server = server();
		for (RedisConnectionFactory connections : List.of(lettuce(server.port()), jedis(server))) {
			RateLimiter limiter = registry(connections, PATIENT).get("local");
			server.command("DEL", "ratelimit:local:list", "ratelimit:local:text", "ratelimit:local:other");
			server.command("RPUSH", "ratelimit:local:list", "x");
			server.command("SET", "ratelimit:local:text", "x");
			for (String key : List.of("list", "text")) {
				assertThat(limiter.bucket(key).tryAcquire(5)).isTrue();
				assertThat(limiter.bucket(key).tryAcquire(1)).isFalse();
			}
			assertThat(limiter.bucket("other").tryAcquire(5)).isTrue();
			assertThat(server.command("EXISTS", "ratelimit:local:other")).isEqualTo(":1");
			assertThat(server.command("DEL", "ratelimit:local:list")).isEqualTo(":1");
			assertThat(limiter.bucket("list").tryAcquire(5)).isTrue();
		}
		assertThat(this.failures).hasSize(8);
		assertThat(this.log.messages()).hasSize(2)
			.allSatisfy((message) -> assertThat(message).contains("ratelimit:local:"));
	}

	@Test
	void goesOnWithoutAServerThatMayNotBeWrittenTo() {
		RedisProcess server = server();
		TokenBucket bucket = registry(lettuce(server.port()), PATIENT).get("local").bucket();
		assertThat(server.command("REPLICAOF", "127.0.0.1", "1")).isEqualTo("+OK");
		assertThat(bucket.tryAcquire(5)).isTrue();
		assertThat(bucket.tryAcquire(1)).isFalse();
		assertThat(this.failures).hasSize(1);
		assertThat(server.command("REPLICAOF", "NO", "ONE")).isEqualTo("+OK");
		this.clock.advance(BACK_OFF);
		assertThat(bucket.availableTokens()).isEqualTo(5);
	}

	@Test
	void goesOnWithoutAServerThatIsFull() {
		RedisProcess server = server();
		TokenBucket bucket = registry(lettuce(server.port()), PATIENT).get("local").bucket();
		assertThat(server.command("CONFIG", "SET", "maxmemory", "1")).isEqualTo("+OK");
		assertThat(bucket.tryAcquire(5)).isTrue();
		assertThat(bucket.tryAcquire(1)).isFalse();
		assertThat(this.failures).hasSize(1);
		assertThat(server.command("CONFIG", "SET", "maxmemory", "0")).isEqualTo("+OK");
		this.clock.advance(BACK_OFF);
		assertThat(bucket.availableTokens()).isEqualTo(5);
	}

	private void untilAsked(BooleanSupplier condition) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime() - deadline).isNegative();
			this.clock.advance(BACK_OFF);
		}
	}

	private RedisProcess server() {
		RedisProcess server = RedisProcess.start();
		this.resources.add(server);
		return server;
	}

	private int silentServer() throws IOException {
		ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.resources.add(socket);
		return socket.getLocalPort();
	}

	private LettuceConnectionFactory lettuce(int port) {
		LettuceConnectionFactory factory = Connections.lettuce(port);
		this.resources.add(factory::destroy);
		return factory;
	}

	private JedisConnectionFactory jedis(RedisProcess server) {
		JedisConnectionFactory factory = Connections.jedis(server.port());
		this.resources.add(factory::destroy);
		return factory;
	}

	private RedisTokenBucketStore store(RedisConnectionFactory connections, Duration timeout) {
		return new RedisTokenBucketStore(connections, RedisTokenBucketStore.DEFAULT_KEY_PREFIX, timeout, this.clock);
	}

	private RateLimiterRegistry registry(RedisConnectionFactory connections, Duration timeout) {
		TokenBucketStores stores = new TokenBucketStores(this.clock,
				List.of(new LocalTokenBucketStore(this.clock), store(connections, timeout)), "redis", (name) -> "");
		List<ConfiguredLimit> limits = Arrays.stream(StoreFailurePolicy.values())
			.map((policy) -> limit(policy.name().toLowerCase(Locale.ROOT), policy))
			.toList();
		return new RateLimiterRegistry(this.clock, stores, new RateLimitListener() {

			@Override
			public void storeFailed(RateLimiter limiter, String store, Throwable failure) {
				RedisFailureTests.this.failures.add(limiter.name() + " " + store);
			}

		}, null, limits, (name) -> null);
	}

	private static ConfiguredLimit limit(String name, StoreFailurePolicy policy) {
		return new ConfiguredLimit(name, name, limit().rate(), limit().per(), limit().capacity(), null, null, null,
				null, 100, true, false, Map.of(), null, policy);
	}

	private static RateLimit limit() {
		return RateLimit.of(1, Duration.ofHours(1), 5);
	}

}
