package dev.ratelimit.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.StoreExactnessTests;
import dev.ratelimit.core.TokenBucketStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Tests of the script's arithmetic.
 */
class RedisExactnessTests extends StoreExactnessTests {

	private static RedisProcess server;

	private static LettuceConnectionFactory connectionFactory;

	private final AtomicInteger stores = new AtomicInteger();

	@BeforeAll
	static void start() {
		server = RedisProcess.start();
		connectionFactory = Connections.lettuce(server);
	}

	@AfterAll
	static void stop() {
		Connections.close(connectionFactory, server);
	}

	@Override
	protected TokenBucketStore store(ManualTimeSource clock) {
		String prefix = "%d-%d:".formatted(System.identityHashCode(this), this.stores.incrementAndGet());
		return new RedisTokenBucketStore(connectionFactory, prefix, Duration.ofSeconds(30), clock,
				() -> Long.toString(TimeUnit.NANOSECONDS.toMicros(clock.nanos())));
	}

}
