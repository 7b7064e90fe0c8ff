package dev.ratelimit.core;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Settings of a limiter that differ from the defaults in what a test is about.
 */
final class SettingsBuilder {

	private final String name;

	private final RateLimit limit;

	private final Map<String, RateLimit> keyLimits = new HashMap<>();

	private final Set<String> unlimitedKeys = new HashSet<>();

	private boolean enabled = true;

	private @Nullable RateLimitMode mode;

	private @Nullable Duration maxWait;

	private @Nullable Duration defaultMaxWait;

	private @Nullable Integer maxWaiters;

	private long maxKeys = RateLimiterSettings.DEFAULT_MAX_KEYS;

	private @Nullable Long initialTokens;

	private SettingsBuilder(String name, RateLimit limit) {
		this.name = name;
		this.limit = limit;
	}

	static SettingsBuilder settings(String name, RateLimit limit) {
		return new SettingsBuilder(name, limit);
	}

	SettingsBuilder disabled() {
		this.enabled = false;
		return this;
	}

	SettingsBuilder mode(RateLimitMode mode) {
		this.mode = mode;
		return this;
	}

	SettingsBuilder maxWait(@Nullable Duration maxWait) {
		this.maxWait = maxWait;
		return this;
	}

	SettingsBuilder defaultMaxWait(@Nullable Duration defaultMaxWait) {
		this.defaultMaxWait = defaultMaxWait;
		return this;
	}

	SettingsBuilder maxWaiters(int maxWaiters) {
		this.maxWaiters = maxWaiters;
		return this;
	}

	SettingsBuilder maxKeys(long maxKeys) {
		this.maxKeys = maxKeys;
		return this;
	}

	SettingsBuilder initialTokens(long initialTokens) {
		this.initialTokens = initialTokens;
		return this;
	}

	SettingsBuilder keyLimit(String key, RateLimit limit) {
		this.keyLimits.put(key, limit);
		return this;
	}

	SettingsBuilder unlimited(String key) {
		this.unlimitedKeys.add(key);
		return this;
	}

	RateLimiterSettings build() {
		return new RateLimiterSettings(this.name, this.limit, this.enabled, this.mode, this.maxWait,
				this.defaultMaxWait, this.maxWaiters, this.maxKeys, this.initialTokens, this.keyLimits,
				this.unlimitedKeys, false, LocalTokenBucketStore.NAME, StoreFailurePolicy.LOCAL);
	}

	RateLimiter limiter(TimeSource time, RateLimitListener listener) {
		return new RateLimiter(build(), new LocalTokenBucketStore(time), time, listener);
	}

	/**
	 * Returns the only store there is in memory.
	 */
	static TokenBucketStores stores(TimeSource time) {
		return new TokenBucketStores(time, List.of(new LocalTokenBucketStore(time)), LocalTokenBucketStore.NAME,
				UnaryOperator.identity());
	}

}
