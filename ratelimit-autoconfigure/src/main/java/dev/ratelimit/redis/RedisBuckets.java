package dev.ratelimit.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimiterSettings;
import dev.ratelimit.core.Reservation;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TimedReservation;
import dev.ratelimit.core.TokenBucketStore.Buckets;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of one limit in Redis. The limit travels with each call.
 */
final class RedisBuckets implements Buckets {

	private static final long LONGEST_WAIT_MICROS = 1L << 52;

	private final RedisKeys keys;

	private final Batches batches;

	private final KeyScan keyScan;

	private final TimeSource timeSource;

	private final Map<String, RedisLimit> keyLimits;

	private final String unkeyed;

	private volatile RedisLimit limit;

	private volatile long lastSeenTokens;

	RedisBuckets(RateLimiterSettings settings, RedisKeys keys, Batches batches, KeyScan keyScan,
			TimeSource timeSource) {
		this.keys = keys;
		this.batches = batches;
		this.keyScan = keyScan;
		this.timeSource = timeSource;
		this.unkeyed = keys.of(null);
		this.limit = RedisLimit.of(settings.limit());
		this.lastSeenTokens = settings.limit().capacity();
		this.keyLimits = settings.keyLimits()
			.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap((entry) -> keys.of(entry.getKey()),
					(entry) -> RedisLimit.of(entry.getValue())));
	}

	@Override
	public boolean tryAcquire(@Nullable String key, long tokens) {
		return join(take(this.keys.of(key), tokens, Operation.NO_WAIT)).granted();
	}

	@Override
	public Reservation reserve(@Nullable String key, long tokens, long maxWaitNanos) {
		return join(reservation(key, tokens, maxWaitNanos));
	}

	@Override
	public CompletionStage<Reservation> reserveAsync(@Nullable String key, long tokens, long maxWaitNanos) {
		return reservation(key, tokens, maxWaitNanos);
	}

	private CompletableFuture<Reservation> reservation(@Nullable String key, long tokens, long maxWaitNanos) {
		String redisKey = this.keys.of(key);
		long maxWaitMicros = Math.min(TimeUnit.NANOSECONDS.toMicros(maxWaitNanos), LONGEST_WAIT_MICROS);
		return take(redisKey, tokens, maxWaitMicros).thenApply((answer) -> {
			long waitNanos = TimeUnit.MICROSECONDS.toNanos(answer.waitMicros());
			return answer.granted()
					? TimedReservation.granted(this.timeSource, waitNanos, answer.availableTokens(),
							() -> giveBack(redisKey, tokens, answer.ticket()))
					: TimedReservation.refused(this.timeSource, waitNanos, answer.availableTokens());
		});
	}

	private CompletableFuture<Answer> take(String redisKey, long tokens, long maxWaitMicros) {
		RedisLimit limit = limit(redisKey);
		checkTokens(tokens, limit.limit().capacity());
		return seen(redisKey, send(redisKey, Operation.take(limit, tokens, maxWaitMicros)));
	}

	private CompletionStage<Void> giveBack(String redisKey, long tokens, String ticket) {
		return send(redisKey, Operation.giveBack(limit(redisKey), tokens, ticket)).thenAccept((answer) -> {
		});
	}

	@Override
	public long availableTokens(@Nullable String key) {
		String redisKey = this.keys.of(key);
		return join(seen(redisKey, send(redisKey, Operation.available(limit(redisKey))))).availableTokens();
	}

	@Override
	public long lastSeenTokens() {
		return Math.min(this.lastSeenTokens, this.limit.limit().capacity());
	}

	private CompletableFuture<Answer> seen(String redisKey, CompletableFuture<Answer> answer) {
		return redisKey.equals(this.unkeyed) ? answer.thenApply(this::seen) : answer;
	}

	private Answer seen(Answer answer) {
		this.lastSeenTokens = answer.availableTokens();
		return answer;
	}

	@Override
	public long keys() {
		return 0;
	}

	@Override
	public void change(RateLimit limit) {
		this.limit = RedisLimit.of(limit);
	}

	@Override
	public void refill(@Nullable String key) {
		join(refillAsync(this.keys.of(key)));
		if (key == null) {
			sawFull();
		}
	}

	@Override
	public void refillAll() {
		List<CompletableFuture<Answer>> refills = join(this.keyScan.find(this.keys.patterns())).stream()
			.map(this::refillAsync)
			.toList();
		refills.forEach(RedisBuckets::join);
		sawFull();
	}

	private void sawFull() {
		this.lastSeenTokens = this.limit.limit().capacity();
	}

	private CompletableFuture<Answer> refillAsync(String redisKey) {
		return send(redisKey, Operation.refill(limit(redisKey)));
	}

	private CompletableFuture<Answer> send(String redisKey, Operation operation) {
		return this.batches.send(redisKey, operation).exceptionally((failure) -> {
			throw RedisFailure.of(failure, redisKey);
		});
	}

	private RedisLimit limit(String redisKey) {
		return this.keyLimits.isEmpty() ? this.limit : this.keyLimits.getOrDefault(redisKey, this.limit);
	}

	private static void checkTokens(long tokens, long capacity) {
		if (tokens < 1) {
			throw new IllegalArgumentException("tokens must be one or more, but was " + tokens);
		}
		if (tokens > capacity) {
			throw new IllegalArgumentException(
					"%d tokens can never be granted: the capacity is %d".formatted(tokens, capacity));
		}
	}

	private static <T> T join(CompletableFuture<T> future) {
		try {
			return future.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

}
