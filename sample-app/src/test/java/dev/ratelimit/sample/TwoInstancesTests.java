package dev.ratelimit.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.embedded.RedisServer;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances of the packaged application that share their limits in one Redis.
 */
@Tag("packaged")
@Timeout(180)
class TwoInstancesTests {

	private static final int CAPACITY = 100;

	private static final int WAITING = 8;

	private static final List<PackagedApplication> instances = new ArrayList<>();

	private static RedisServer server;

	private static LettuceConnectionFactory connections;

	@BeforeAll
	static void start() throws IOException {
		int port = freePort();
		server = startRedis(port);
		connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration("localhost", port));
		connections.afterPropertiesSet();
		connections.start();
		for (int i = 0; i < 2; i++) {
			instances.add(PackagedApplication.start("--ratelimit.store=redis", "--ratelimit.redis.timeout=30s",
					"--spring.data.redis.port=" + port, "--ratelimit.buckets.search.rate=1",
					"--ratelimit.buckets.search.per=1d", "--ratelimit.buckets.search.capacity=" + CAPACITY,
					"--ratelimit.buckets.search.on-store-failure=deny", "--ratelimit.buckets.wait.rate=1",
					"--ratelimit.buckets.wait.capacity=1", "--ratelimit.buckets.wait.on-store-failure=deny"));
		}
	}

	@AfterAll
	static void stop() {
		instances.forEach(PackagedApplication::close);
		if (connections != null) {
			connections.destroy();
		}
		if (server != null) {
			server.stop();
		}
	}

	@Test
	void grantOneLimitTogether() {
		List<CompletableFuture<HttpResponse<String>>> calls = IntStream.range(0, 2 * CAPACITY)
			.boxed()
			.flatMap((call) -> instances.stream().map((instance) -> instance.getAsync("/api/search?text=tea")))
			.toList();
		Stream<Integer> answers = calls.stream().map(CompletableFuture::join).map(HttpResponse::statusCode);
		assertThat(answers.toList()).hasSize(4 * CAPACITY)
			.containsOnly(200, 429)
			.filteredOn((status) -> status == 200)
			.hasSize(CAPACITY);
	}

	@Test
	void serveWaitingCallsInTheOrderInWhichTheyCameToEither() {
		StringRedisTemplate redis = new StringRedisTemplate(connections);
		List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
		for (int i = 0; i < WAITING; i++) {
			String before = redis.opsForValue().get("ratelimit:wait");
			calls.add(instances.get(i % 2).getAsync("/gates/wait"));
			while (same(before, redis.opsForValue().get("ratelimit:wait"))) {
				Thread.onSpinWait();
			}
		}
		List<Long> passed = calls.stream().map(CompletableFuture::join).map(TwoInstancesTests::time).toList();
		assertThat(passed).isSorted();
		assertThat(passed.get(WAITING - 1) - passed.get(0)).isGreaterThan(1000 * (WAITING - 2));
	}

	/**
	 * Returns whether nobody has come meanwhile: a state that expires is no arrival.
	 */
	private static boolean same(String before, String after) {
		return after == null || after.equals(before);
	}

	private static long time(HttpResponse<String> response) {
		assertThat(response.statusCode()).isEqualTo(200);
		return Long.parseLong(response.body());
	}

	private static RedisServer startRedis(int port) {
		try {
			RedisServer redis = RedisServer.builder().port(port).bind("127.0.0.1").setting("save \"\"").build();
			redis.start();
			return redis;
		}
		catch (RuntimeException ex) {
			return Assumptions.abort("skipped: Redis does not start on this platform: " + ex);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

}
