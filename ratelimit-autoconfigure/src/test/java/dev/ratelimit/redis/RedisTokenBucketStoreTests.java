package dev.ratelimit.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.TokenBucketStore;
import dev.ratelimit.core.TokenBucketStoreContractTests;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Tests of the {@link RedisTokenBucketStore} by each client and on each server.
 */
class RedisTokenBucketStoreTests {

	@Nested
	class LettuceOnRedis7 extends ContractTests {

		LettuceOnRedis7() {
			super(RedisProcess.Version.SEVEN);
		}

		@Override
		RedisConnectionFactory connectionFactory(RedisProcess server) {
			return Connections.lettuce(server);
		}

	}

	@Nested
	class LettuceOnRedis6 extends ContractTests {

		LettuceOnRedis6() {
			super(RedisProcess.Version.SIX);
		}

		@Override
		RedisConnectionFactory connectionFactory(RedisProcess server) {
			return Connections.lettuce(server);
		}

	}

	@Nested
	class JedisOnRedis7 extends ContractTests {

		JedisOnRedis7() {
			super(RedisProcess.Version.SEVEN);
		}

		@Override
		RedisConnectionFactory connectionFactory(RedisProcess server) {
			return Connections.jedis(server);
		}

	}

	@TestInstance(TestInstance.Lifecycle.PER_CLASS)
	abstract static class ContractTests extends TokenBucketStoreContractTests {

		private static final Duration PATIENCE = Duration.ofSeconds(30);

		private final RedisProcess.Version version;

		private final AtomicInteger stores = new AtomicInteger();

		private RedisProcess server;

		private RedisConnectionFactory connectionFactory;

		ContractTests(RedisProcess.Version version) {
			this.version = version;
		}

		@BeforeAll
		void startServer() {
			this.server = RedisProcess.start(this.version);
			this.connectionFactory = connectionFactory(this.server);
		}

		@AfterAll
		void stopServer() throws Exception {
			if (this.connectionFactory instanceof DisposableBean bean) {
				bean.destroy();
			}
			if (this.server != null) {
				this.server.close();
			}
		}

		abstract RedisConnectionFactory connectionFactory(RedisProcess server);

		@Override
		protected TokenBucketStore store(ManualTimeSource clock) {
			return new RedisTokenBucketStore(this.connectionFactory, "test%d:".formatted(this.stores.incrementAndGet()),
					PATIENCE, clock, () -> Long.toString(TimeUnit.NANOSECONDS.toMicros(clock.nanos())));
		}

	}

}
