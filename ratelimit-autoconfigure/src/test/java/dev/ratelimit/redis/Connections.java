package dev.ratelimit.redis;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Connections of a test to its server.
 */
final class Connections {

	private Connections() {
	}

	static LettuceConnectionFactory lettuce(RedisProcess server) {
		return lettuce(server.port());
	}

	static LettuceConnectionFactory lettuce(int port) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", port));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	static JedisConnectionFactory jedis(RedisProcess server) {
		return jedis(server.port());
	}

	static JedisConnectionFactory jedis(int port) {
		JedisConnectionFactory factory = new JedisConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", port));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	/**
	 * Closes what has been opened, which is nothing if the test was skipped.
	 */
	static void close(LettuceConnectionFactory factory, RedisProcess server) {
		if (factory != null) {
			factory.destroy();
		}
		if (server != null) {
			server.close();
		}
	}

}
