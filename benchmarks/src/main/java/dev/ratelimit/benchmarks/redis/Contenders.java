package dev.ratelimit.benchmarks.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import dev.ratelimit.core.RateLimiterRegistry;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.api.async.RedisAsyncCommands;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Those who decide in one Redis server, each with buckets of its own that never refuse.
 * Redisson brings its own connections; the others share that of a Spring application.
 */
final class Contenders implements AutoCloseable {

	static final String TRIVIAL_SCRIPT = "trivial script";

	static final String COMMANDS = "TIME, GET, SET in a script";

	static final String RATELIMIT = "ratelimit";

	static final String RATELIMIT_SCRIPT = "ratelimit's script alone";

	static final String BUCKET4J = "bucket4j";

	static final String REDISSON = "Redisson";

	private static final int MOST_KEYS = 64;

	private final Map<String, IntPredicate> decisions = new LinkedHashMap<>();

	private final BenchmarkServer server = BenchmarkServer.start();

	private final ConfigurableApplicationContext application = RedisApplication.start(this.server.port());

	private final RedissonClient redisson;

	Contenders() {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://%s:%d".formatted(BenchmarkServer.HOST, this.server.port()));
		this.redisson = Redisson.create(config);
		StringRedisTemplate template = this.application.getBean(StringRedisTemplate.class);
		this.decisions.put(TRIVIAL_SCRIPT, trivialScript(template));
		this.decisions.put(COMMANDS, commands(template));
		this.decisions.put(RATELIMIT, ratelimit());
		this.decisions.put(RATELIMIT_SCRIPT, ratelimitScript(template));
		this.decisions.put(BUCKET4J, bucket4j());
		this.decisions.put(REDISSON, redisson());
	}

	List<String> names() {
		return List.copyOf(this.decisions.keySet());
	}

	/**
	 * Returns what a contender decides on a call for a key, which is a number below 64.
	 */
	IntPredicate decision(String name) {
		return Objects.requireNonNull(this.decisions.get(name), name);
	}

	private static IntPredicate trivialScript(StringRedisTemplate template) {
		RedisScript<Long> script = RedisScript.of("return 1", Long.class);
		return forKeys((key) -> List.of("trivial:" + key),
				(keys) -> Long.valueOf(1).equals(template.execute(script, keys)));
	}

	/**
	 * Runs the commands that any token bucket with an expiry and the server's clock
	 * needs, and decides nothing.
	 */
	private static IntPredicate commands(StringRedisTemplate template) {
		RedisScript<Long> script = RedisScript.of("""
				redis.call('TIME')
				redis.call('GET', KEYS[1])
				redis.call('SET', KEYS[1], ARGV[1], 'PX', 60000)
				return 1""", Long.class);
		String state = "0".repeat(100);
		return forKeys((key) -> List.of("commands:" + key),
				(keys) -> Long.valueOf(1).equals(template.execute(script, keys, state)));
	}

	private IntPredicate ratelimit() {
		RateLimiterRegistry registry = this.application.getBean(RateLimiterRegistry.class);
		return forKeys((key) -> registry.get(RedisApplication.LIMIT).bucket("" + key), (bucket) -> bucket.tryAcquire());
	}

	/**
	 * Runs the script for each call, as if calls did not travel together.
	 */
	@SuppressWarnings("rawtypes")
	private IntPredicate ratelimitScript(StringRedisTemplate template) {
		RedisScript<List> script = RedisScript.of(new ClassPathResource("dev/ratelimit/redis/token-bucket.lua"),
				List.class);
		this.application.getBean(RateLimiterRegistry.class)
			.get(RedisApplication.LIMIT)
			.bucket("0")
			.tryAcquire(1_000_000);
		String state = template.opsForValue().get("ratelimit:" + RedisApplication.LIMIT + ":0");
		String[] numbers = Objects.requireNonNull(state).split(" ", -1);
		Object[] arguments = { "", "nonce", numbers[5], numbers[6], numbers[7], numbers[8], "take", "1", "-1", "1" };
		return forKeys((key) -> List.of("script:" + key),
				(keys) -> Long.valueOf(1).equals(template.execute(script, keys, arguments).get(0)));
	}

	@SuppressWarnings("unchecked")
	private IntPredicate bucket4j() {
		RedisAsyncCommands<byte[], byte[]> commands = (RedisAsyncCommands<byte[], byte[]>) this.application
			.getBean(LettuceConnectionFactory.class)
			.getConnection()
			.getNativeConnection();
		ProxyManager<byte[]> buckets = Bucket4jLettuce.casBasedBuilder(commands).build();
		BucketConfiguration limit = BucketConfiguration.builder()
			.addLimit((bandwidth) -> bandwidth.capacity(RedisApplication.CAPACITY)
				.refillGreedy(RedisApplication.TOKENS_PER_DAY, Duration.ofDays(1)))
			.build();
		return forKeys((key) -> buckets.getProxy(("bucket4j:" + key).getBytes(StandardCharsets.US_ASCII), () -> limit),
				(bucket) -> bucket.tryConsume(1));
	}

	/**
	 * Redisson keeps an entry for each call of the last period, so that a short one is
	 * best for it.
	 */
	private IntPredicate redisson() {
		return forKeys((key) -> {
			RRateLimiter limiter = this.redisson.getRateLimiter("redisson:" + key);
			limiter.trySetRate(RateType.OVERALL, RedisApplication.CAPACITY, Duration.ofSeconds(1));
			return limiter;
		}, RRateLimiter::tryAcquire);
	}

	private static <T> IntPredicate forKeys(IntFunction<T> bucket, Predicate<T> decision) {
		List<T> buckets = IntStream.range(0, MOST_KEYS).mapToObj(bucket).toList();
		return (key) -> decision.test(buckets.get(key));
	}

	@Override
	public void close() {
		this.redisson.shutdown();
		this.application.close();
		this.server.close();
	}

}
