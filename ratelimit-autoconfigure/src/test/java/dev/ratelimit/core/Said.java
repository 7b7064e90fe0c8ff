package dev.ratelimit.core;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What configuration or code says about a limit: only what a test is about.
 */
final class Said {

	private final Map<String, ConfiguredLimit.Key> keys = new LinkedHashMap<>();

	private @Nullable Double rate;

	private @Nullable Duration per;

	private @Nullable Long capacity;

	private @Nullable Long initialTokens;

	private @Nullable RateLimitMode mode;

	private @Nullable Duration maxWait;

	private @Nullable Integer maxWaiters;

	private long maxKeys = RateLimiterSettings.DEFAULT_MAX_KEYS;

	private boolean enabled = true;

	static Said nothing() {
		return new Said();
	}

	static Said rate(double rate) {
		Said said = new Said();
		said.rate = rate;
		return said;
	}

	Said per(Duration per) {
		this.per = per;
		return this;
	}

	Said capacity(long capacity) {
		this.capacity = capacity;
		return this;
	}

	Said initialTokens(long initialTokens) {
		this.initialTokens = initialTokens;
		return this;
	}

	Said mode(RateLimitMode mode) {
		this.mode = mode;
		return this;
	}

	Said maxWait(Duration maxWait) {
		this.maxWait = maxWait;
		return this;
	}

	Said maxWaiters(int maxWaiters) {
		this.maxWaiters = maxWaiters;
		return this;
	}

	Said maxKeys(long maxKeys) {
		this.maxKeys = maxKeys;
		return this;
	}

	Said disabled() {
		this.enabled = false;
		return this;
	}

	Said key(String key, @Nullable Double rate, @Nullable Duration per, @Nullable Long capacity) {
		this.keys.put(key, new ConfiguredLimit.Key(false, rate, per, capacity));
		return this;
	}

	Said unlimited(String key) {
		this.keys.put(key, new ConfiguredLimit.Key(true, null, null, null));
		return this;
	}

	ConfiguredLimit byConfiguration(String name) {
		return new ConfiguredLimit(name, "limits." + name, this.rate, this.per, this.capacity, this.initialTokens,
				this.mode, this.maxWait, this.maxWaiters, this.maxKeys, this.enabled, false, this.keys, null,
				StoreFailurePolicy.LOCAL);
	}

	DeclaredLimit byCode(String name, String place) {
		return new DeclaredLimit(name, true, place, this.rate, this.per, this.capacity, RateLimitMode.REJECT);
	}

	DeclaredLimit byCodeWithoutAName(String name, String place) {
		return new DeclaredLimit(name, false, place, this.rate, this.per, this.capacity, RateLimitMode.REJECT);
	}

}
