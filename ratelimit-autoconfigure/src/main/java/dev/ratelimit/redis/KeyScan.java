package dev.ratelimit.redis;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;

/**
 * Looks for keys in all of Redis, step by step. It takes long where there are many keys
 * of whatever kind: for refills of all buckets of a limit, not for calls.
 */
final class KeyScan {

	private static final int STEP = 1000;

	private final RedisConnectionFactory connectionFactory;

	private final RedisThreads threads;

	KeyScan(RedisConnectionFactory connectionFactory, RedisThreads threads) {
		this.connectionFactory = connectionFactory;
		this.threads = threads;
	}

	/**
	 * Looks for keys.
	 * @param patterns what the names of keys may look like
	 * @return the names
	 */
	CompletableFuture<Set<String>> find(String... patterns) {
		return this.threads.submit(() -> {
			Set<String> keys = new HashSet<>();
			try (RedisConnection connection = this.connectionFactory.getConnection()) {
				for (String pattern : patterns) {
					scan(connection, ScanOptions.scanOptions().match(pattern).count(STEP).build(), keys);
				}
			}
			return keys;
		});
	}

	private static void scan(RedisConnection connection, ScanOptions options, Set<String> keys) {
		if (connection instanceof RedisClusterConnection cluster) {
			for (RedisClusterNode node : cluster.clusterGetNodes()) {
				if (node.isMaster()) {
					add(cluster.scan(node, options), keys);
				}
			}
		}
		else {
			add(connection.keyCommands().scan(options), keys);
		}
	}

	private static void add(Cursor<byte[]> found, Set<String> keys) {
		try (found) {
			found.forEachRemaining((key) -> keys.add(new String(key, StandardCharsets.UTF_8)));
		}
	}

}
