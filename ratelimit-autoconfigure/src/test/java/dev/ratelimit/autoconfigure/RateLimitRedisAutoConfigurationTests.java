package dev.ratelimit.autoconfigure;

import java.util.Arrays;
import java.util.List;

import dev.ratelimit.core.LocalTokenBucketStore;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.RateLimiterSettings;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucket;
import dev.ratelimit.core.TokenBucketStore;
import dev.ratelimit.redis.RedisProcess;
import dev.ratelimit.redis.RedisRuntimeHints;
import dev.ratelimit.redis.RedisTokenBucketStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link RateLimitRedisAutoConfiguration} and of the choice of stores.
 */
class RateLimitRedisAutoConfigurationTests {

	private final ApplicationContextRunner withoutRedis = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
				RateLimitAspectAutoConfiguration.class, RateLimitRedisAutoConfiguration.class))
		.withPropertyValues("ratelimit.buckets.orders.rate=1", "ratelimit.buckets.orders.per=1h",
				"ratelimit.buckets.orders.capacity=5");

	private final ApplicationContextRunner runner = this.withoutRedis
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));

	@Test
	void keepsBucketsInMemoryUnlessToldOtherwise() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(RedisTokenBucketStore.class);
			assertThat(store(context.getBean(RateLimiterRegistry.class))).isEqualTo("local");
			assertThat(context.getBean("ratelimit.bucket.orders", TokenBucket.class).tryAcquire(5)).isTrue();
		});
	}

	@Test
	void sharesBucketsBetweenApplications() {
		try (RedisProcess server = RedisProcess.start()) {
			ApplicationContextRunner onRedis = this.runner.withPropertyValues("ratelimit.store=redis",
					"ratelimit.redis.key-prefix=app:", "ratelimit.redis.timeout=20s",
					"ratelimit.buckets.orders.on-store-failure=deny", "spring.data.redis.port=" + server.port());
			onRedis.run((one) -> onRedis.run((other) -> {
				assertThat(bucket(one).tryAcquire(3)).isTrue();
				assertThat(bucket(other).tryAcquire(3)).isFalse();
				assertThat(bucket(other).tryAcquire(2)).isTrue();
			}));
		}
	}

	@Test
	void takesTheStoreOfABucketBeforeThatOfAll() {
		this.runner.withPropertyValues("ratelimit.store=redis", "ratelimit.buckets.orders.store=local")
			.run((context) -> assertThat(store(context.getBean(RateLimiterRegistry.class))).isEqualTo("local"));
		this.runner.withPropertyValues("ratelimit.buckets.orders.store=redis")
			.run((context) -> assertThat(store(context.getBean(RateLimiterRegistry.class))).isEqualTo("redis"));
	}

	@Test
	void startsWithoutTheServer() {
		this.runner.withPropertyValues("ratelimit.store=redis", "spring.data.redis.port=1")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void backsOffWhereRedisIsNotOnTheClassPath() {
		this.withoutRedis.withClassLoader(new FilteredClassLoader("org.springframework.data.redis", "io.lettuce"))
			.run((context) -> assertThat(bucket(context).tryAcquire(5)).isTrue());
	}

	@Test
	void choosesAStoreOfTheApplicationByItsName() {
		this.withoutRedis.withBean(OwnStore.class)
			.withPropertyValues("ratelimit.buckets.orders.store=own")
			.run((context) -> {
				assertThat(store(context.getBean(RateLimiterRegistry.class))).isEqualTo("own");
				assertThat(bucket(context).tryAcquire(5)).isTrue();
			});
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.store", "ratelimit.buckets.orders.store" })
	void explainsThatThereAreNoConnections(String property) {
		this.withoutRedis.withPropertyValues(property + "=redis").run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).contains(property + " is redis");
			assertThat(analysis.getAction()).contains("spring-boot-starter-data-redis", "RedisConnectionFactory",
					"local");
		});
	}

	@Test
	void explainsThatThereAreTooManyConnections() {
		this.withoutRedis.withBean("one", RedisConnectionFactory.class, LettuceConnectionFactory::new)
			.withBean("other", RedisConnectionFactory.class, LettuceConnectionFactory::new)
			.withPropertyValues("ratelimit.store=redis")
			.run((context) -> assertThat(StartupFailures.analyze(context).getAction()).contains("@Primary"));
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.store", "ratelimit.buckets.orders.store" })
	void explainsThatAStoreDoesNotExist(String property) {
		this.runner.withPropertyValues(property + "=memcached").run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).contains(property, "memcached", "local, redis");
			assertThat(analysis.getAction()).contains("TokenBucketStore");
		});
	}

	@ParameterizedTest
	@CsvSource({ "orders.initial-tokens, 3", "orders.rate, 3.7e12", "orders.capacity, 1000000",
			"orders.keys.vip.rate, 3.7e12", "orders.keys.vip.capacity, 1000000" })
	void explainsWhatRedisCannotDo(String property, String value) {
		this.runner
			.withPropertyValues("ratelimit.buckets.orders.store=redis", "ratelimit.buckets." + property + "=" + value)
			.run((context) -> {
				FailureAnalysis analysis = StartupFailures.analyze(context);
				assertThat(analysis.getDescription()).contains("ratelimit.buckets.orders", value.replace("e12", "E12"));
				assertThat(analysis.getAction()).containsAnyOf("local", "at most");
			});
		this.runner.withPropertyValues("ratelimit.buckets." + property + "=" + value)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "0", "-1s", "soon" })
	void explainsATimeoutThatIsNone(String timeout) {
		this.runner.withPropertyValues("ratelimit.redis.timeout=" + timeout)
			.run((context) -> assertThat(StartupFailures.analyze(context).getDescription())
				.contains("ratelimit.redis.timeout"));
	}

	@Test
	void suggestsTheNearestPropertyOfRedis() {
		this.runner.withPropertyValues("ratelimit.redis.time-limit=1s")
			.run((context) -> assertThat(StartupFailures.analyze(context).getAction())
				.contains("ratelimit.redis.timeout"));
	}

	@Test
	void bringsTheScriptIntoANativeImage() {
		RuntimeHints hints = new RuntimeHints();
		new RedisRuntimeHints().registerHints(hints, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.resource().forResource("dev/ratelimit/redis/token-bucket.lua"))
			.accepts(hints);
	}

	@Test
	void comesAfterTheConnectionsOnEitherLineOfSpringBoot() {
		List<String> names = Arrays
			.asList(RateLimitRedisAutoConfiguration.class.getAnnotation(AutoConfiguration.class).afterName());
		assertThat(names).filteredOn((name) -> ClassUtils.isPresent(name, getClass().getClassLoader())).hasSize(1);
		assertThat(names).hasSize(2);
	}

	private static TokenBucket bucket(ApplicationContext context) {
		return context.getBean("ratelimit.bucket.orders", TokenBucket.class);
	}

	private static String store(RateLimiterRegistry registry) {
		return registry.get("orders").settings().store();
	}

	static final class OwnStore implements TokenBucketStore {

		private final TokenBucketStore store = new LocalTokenBucketStore(TimeSource.system());

		@Override
		public String name() {
			return "own";
		}

		@Override
		public Buckets open(RateLimiterSettings settings) {
			return this.store.open(settings);
		}

	}

}
