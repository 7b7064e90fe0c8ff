package dev.ratelimit.redis;

import java.time.Duration;
import java.util.function.Supplier;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimiterSettings;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucketStore;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * {@link TokenBucketStore} in Redis 6.2 or later, or in Valkey: one limit holds over all
 * applications that use the same server and key prefix. The server's clock counts, to the
 * microsecond.
 * <p>
 * A bucket is one key, which expires at the moment at which the bucket would be full. A
 * decision is one run of one script. It connects when the first limit is opened, on a
 * thread of its own; what fails then is tried again by the first call.
 */
public final class RedisTokenBucketStore implements TokenBucketStore {

	/**
	 * Name of this store.
	 */
	public static final String NAME = "redis";

	/**
	 * What the names of keys start with unless set otherwise.
	 */
	public static final String DEFAULT_KEY_PREFIX = "ratelimit:";

	/**
	 * How long a call waits for an answer unless set otherwise.
	 */
	public static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(250);

	private static final boolean LETTUCE_PRESENT = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			RedisTokenBucketStore.class.getClassLoader());

	private final String keyPrefix;

	private final TimeSource timeSource;

	private final ScriptRunner runner;

	private final Batches batches;

	private final KeyScan keyScan;

	/**
	 * Creates a store.
	 * @param connectionFactory where connections come from
	 * @param keyPrefix what the names of its keys start with
	 * @param timeout how long a call waits for an answer, connecting included; more than
	 * zero
	 * @param timeSource the clock by which calls wait for their tokens in this process
	 */
	public RedisTokenBucketStore(RedisConnectionFactory connectionFactory, String keyPrefix, Duration timeout,
			TimeSource timeSource) {
		this(connectionFactory, keyPrefix, timeout, timeSource, () -> "");
	}

	/**
	 * Creates a store that counts by a clock other than the server's.
	 * @param serverTime the present in microseconds; empty: as the server's clock says
	 */
	RedisTokenBucketStore(RedisConnectionFactory connectionFactory, String keyPrefix, Duration timeout,
			TimeSource timeSource, Supplier<String> serverTime) {
		RedisThreads threads = new RedisThreads();
		this.keyPrefix = keyPrefix;
		this.timeSource = timeSource;
		this.runner = runner(connectionFactory, threads);
		this.batches = new Batches(this.runner, serverTime, timeout);
		this.keyScan = new KeyScan(connectionFactory, threads);
	}

	private static ScriptRunner runner(RedisConnectionFactory connectionFactory, RedisThreads threads) {
		TokenBucketScript script = TokenBucketScript.load();
		if (LETTUCE_PRESENT && connectionFactory instanceof LettuceConnectionFactory lettuce) {
			return new LettuceScriptRunner(lettuce, script, threads);
		}
		return new BlockingScriptRunner(connectionFactory, script, threads);
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public boolean isRemote() {
		return true;
	}

	@Override
	public void check(RateLimit limit) {
		RedisLimit.of(limit);
	}

	@Override
	public Buckets open(RateLimiterSettings settings) {
		this.runner.connect();
		return new RedisBuckets(settings, new RedisKeys(this.keyPrefix, settings.name()), this.batches, this.keyScan,
				this.timeSource);
	}

}
