package dev.ratelimit.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.RemovalCause;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of one limit in memory. Keyed ones are made when first asked and go when
 * they have been full for a while, for a new one is the same; over that, the number of
 * keys is bounded.
 */
final class LocalBuckets implements TokenBucketStore.Buckets {

	private static final Logger logger = System.getLogger(LocalBuckets.class.getName());

	private final RateLimiterSettings settings;

	private final TimeSource timeSource;

	private final LocalTokenBucket unkeyed;

	private final Cache<String, LocalTokenBucket> keyed;

	/**
	 * Buckets that went because they had to be full by now, had not a call taken tokens
	 * long after it looked its bucket up. They come back.
	 */
	private final Map<String, LocalTokenBucket> revived = new ConcurrentHashMap<>();

	private final LongAdder dropped = new LongAdder();

	private final AtomicBoolean warned = new AtomicBoolean();

	private final Map<String, TokenClock> keyClocks;

	private volatile TokenClock clock;

	LocalBuckets(RateLimiterSettings settings, TimeSource timeSource) {
		this.settings = settings;
		this.timeSource = timeSource;
		this.clock = new TokenClock(settings.limit(), timeSource);
		this.keyClocks = settings.keyLimits()
			.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap((entry) -> BucketKey.of(entry.getKey()),
					(entry) -> new TokenClock(entry.getValue(), timeSource)));
		Long initialTokens = settings.initialTokens();
		this.unkeyed = new LocalTokenBucket(this.clock,
				(initialTokens != null) ? initialTokens : settings.limit().capacity());
		this.keyed = Caffeine.newBuilder()
			.maximumSize(settings.maxKeys())
			.expireAfter(new UntilSurelyFull())
			.ticker(timeSource::nanos)
			.executor(Runnable::run)
			.evictionListener(this::evicted)
			.build();
	}

	@Override
	public boolean tryAcquire(@Nullable String key, long tokens) {
		Outcome outcome = bucket(key).take(tokens);
		while (outcome == Outcome.RETIRED) {
			outcome = bucket(key).take(tokens);
		}
		return outcome == Outcome.GRANTED;
	}

	@Override
	public Reservation reserve(@Nullable String key, long tokens, long maxWaitNanos) {
		Reservation reservation = null;
		while (reservation == null) {
			reservation = bucket(key).reserve(tokens, maxWaitNanos);
		}
		return reservation;
	}

	@Override
	public long availableTokens(@Nullable String key) {
		LocalTokenBucket bucket = existing(key);
		if (bucket != null) {
			return bucket.availableTokens();
		}
		return ((key != null) ? clock(BucketKey.of(key)) : this.clock).limit().capacity();
	}

	@Override
	public long keys() {
		bringBackExpired();
		return this.keyed.estimatedSize();
	}

	@Override
	public long dropped() {
		return this.dropped.sum();
	}

	@Override
	public void change(RateLimit limit) {
		TokenClock next = new TokenClock(limit, this.timeSource);
		bringBackExpired();
		this.clock = next;
		this.unkeyed.change(next);
		this.keyed.asMap().forEach((key, bucket) -> {
			if (clock(key) == next) {
				bucket.change(next);
				renewExpiry(key);
			}
		});
	}

	private void renewExpiry(String keptKey) {
		this.keyed.asMap().computeIfPresent(keptKey, (key, bucket) -> bucket);
	}

	@Override
	public void refill(@Nullable String key) {
		LocalTokenBucket bucket = existing(key);
		if (bucket != null) {
			bucket.refill();
		}
	}

	@Override
	public void refillAll() {
		bringBackExpired();
		this.unkeyed.refill();
		this.keyed.asMap().values().forEach(LocalTokenBucket::refill);
	}

	private @Nullable LocalTokenBucket existing(@Nullable String key) {
		if (key == null) {
			return this.unkeyed;
		}
		String keptKey = BucketKey.of(key);
		LocalTokenBucket bucket = this.keyed.policy().getIfPresentQuietly(keptKey);
		return (bucket != null) ? bucket : this.revived.get(keptKey);
	}

	private LocalTokenBucket bucket(@Nullable String key) {
		if (key == null) {
			return this.unkeyed;
		}
		String keptKey = BucketKey.of(key);
		LocalTokenBucket bucket = this.keyed.getIfPresent(keptKey);
		return (bucket != null) ? bucket : create(keptKey);
	}

	/**
	 * Creates a bucket, and changes it at once if the limit was changed meanwhile.
	 */
	private LocalTokenBucket create(String keptKey) {
		LocalTokenBucket bucket = this.keyed.get(keptKey, this::revivedOrNew);
		bringBackRevived();
		return upToDate(keptKey, bucket);
	}

	private LocalTokenBucket upToDate(String keptKey, LocalTokenBucket bucket) {
		TokenClock clock = clock(keptKey);
		if (!bucket.limit().equals(clock.limit())) {
			bucket.change(clock);
			renewExpiry(keptKey);
		}
		return bucket;
	}

	private LocalTokenBucket revivedOrNew(String keptKey) {
		LocalTokenBucket bucket = this.revived.remove(keptKey);
		return (bucket != null) ? bucket : new LocalTokenBucket(clock(keptKey));
	}

	private void bringBackExpired() {
		this.keyed.cleanUp();
		bringBackRevived();
	}

	private void bringBackRevived() {
		if (!this.revived.isEmpty()) {
			this.revived.keySet()
				.forEach((key) -> upToDate(key, this.keyed.asMap().computeIfAbsent(key, this::revivedOrNew)));
		}
	}

	private TokenClock clock(String keptKey) {
		return this.keyClocks.isEmpty() ? this.clock : this.keyClocks.getOrDefault(keptKey, this.clock);
	}

	private void evicted(@Nullable String key, @Nullable LocalTokenBucket bucket, RemovalCause cause) {
		if (key == null || bucket == null) {
			return;
		}
		if (cause == RemovalCause.EXPIRED) {
			if (!bucket.retireIfFull()) {
				this.revived.put(key, bucket);
			}
		}
		else if (!bucket.retire()) {
			this.dropped.increment();
			warnOnce();
		}
	}

	private void warnOnce() {
		if (this.warned.compareAndSet(false, true)) {
			logger.log(Level.WARNING,
					"Rate limit ''{0}'' has more than {1} keys in use at once: buckets that are not full"
							+ " are dropped, which refills them. Raise ratelimit.buckets.{0}.max-keys.",
					this.settings.name(), this.settings.maxKeys());
		}
	}

	/**
	 * Keeps a bucket until it is full, whatever the call that has just looked it up takes
	 * of it.
	 */
	private static final class UntilSurelyFull implements Expiry<String, LocalTokenBucket> {

		@Override
		public long expireAfterCreate(String key, LocalTokenBucket bucket, long currentTime) {
			return bucket.nanosUntilSurelyFull();
		}

		@Override
		public long expireAfterUpdate(String key, LocalTokenBucket bucket, long currentTime, long currentDuration) {
			return bucket.nanosUntilSurelyFull();
		}

		@Override
		public long expireAfterRead(String key, LocalTokenBucket bucket, long currentTime, long currentDuration) {
			return bucket.nanosUntilSurelyFull();
		}

	}

}
