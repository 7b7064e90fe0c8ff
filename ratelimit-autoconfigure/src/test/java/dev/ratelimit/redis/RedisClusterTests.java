package dev.ratelimit.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimiterSettings;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucketStore.Buckets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Buckets in a cluster of three nodes.
 */
@Timeout(120)
class RedisClusterTests {

	private static final int NODES = 3;

	private static final int SLOTS = 16_384;

	private static final List<RedisProcess> nodes = new ArrayList<>();

	private static LettuceConnectionFactory lettuce;

	private static JedisConnectionFactory jedis;

	@BeforeAll
	static void start() {
		for (int i = 0; i < NODES; i++) {
			RedisProcess node = RedisProcess.startInCluster();
			nodes.add(node);
			assertThat(node.command("CLUSTER", "ADDSLOTSRANGE", Integer.toString(i * SLOTS / NODES),
					Integer.toString((i + 1) * SLOTS / NODES - 1)))
				.isEqualTo("+OK");
			assertThat(node.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(nodes.get(0).port())))
				.isEqualTo("+OK");
		}
		nodes.forEach(RedisClusterTests::untilReady);
		RedisClusterConfiguration cluster = new RedisClusterConfiguration(
				nodes.stream().map((node) -> "127.0.0.1:" + node.port()).toList());
		lettuce = new LettuceConnectionFactory(cluster);
		lettuce.afterPropertiesSet();
		lettuce.start();
		jedis = new JedisConnectionFactory(cluster);
		jedis.afterPropertiesSet();
		jedis.start();
	}

	@AfterAll
	static void stop() {
		Connections.close(lettuce, null);
		if (jedis != null) {
			jedis.destroy();
		}
		nodes.forEach(RedisProcess::close);
	}

	@Test
	void holdLimitsOfKeysOnAllNodes() {
		holdLimitsOfKeysOnAllNodes(lettuce);
	}

	@Test
	void holdLimitsOfKeysOnAllNodesByJedis() {
		holdLimitsOfKeysOnAllNodes(jedis);
	}

	private void holdLimitsOfKeysOnAllNodes(RedisConnectionFactory connections) {
		Buckets buckets = new RedisTokenBucketStore(connections, "ratelimit:", Duration.ofSeconds(30),
				TimeSource.system())
			.open(RateLimiterSettings.of("limit", RateLimit.of(1, Duration.ofDays(1), 5)));
		List<String> keys = IntStream.range(0, 50).mapToObj((i) -> "key-" + i).toList();
		for (String key : keys) {
			assertThat(buckets.tryAcquire(key, 5)).isTrue();
			assertThat(buckets.tryAcquire(key, 1)).isFalse();
		}
		assertThat(nodes).allSatisfy((node) -> assertThat(node.command("DBSIZE")).isNotEqualTo(":0"));
		buckets.refillAll();
		assertThat(nodes).allSatisfy((node) -> assertThat(node.command("DBSIZE")).isEqualTo(":0"));
	}

	private static void untilReady(RedisProcess node) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
		while (!isReady(node)) {
			assertThat(System.nanoTime() - deadline).as("the cluster comes up").isNegative();
			Thread.onSpinWait();
			Thread.yield();
		}
	}

	private static boolean isReady(RedisProcess node) {
		String probe = "probe" + node.port();
		return node.command("SET", probe, "x").matches("\\+OK|-MOVED.*")
				&& node.command("DEL", probe).matches(":1|-MOVED.*");
	}

}
