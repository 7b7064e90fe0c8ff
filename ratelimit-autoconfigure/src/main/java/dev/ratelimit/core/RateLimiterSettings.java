package dev.ratelimit.core;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Settings of one {@link RateLimiter}.
 *
 * @param name name of the limit, as written by those who named it
 * @param limit the limit of each of its buckets
 * @param enabled whether the limit is in force; if not, every call passes uncounted
 * @param mode what a call does when there are too few tokens; {@code null}: what the call
 * site says
 * @param maxWait the longest wait; {@code null}: what the call site says
 * @param defaultMaxWait the longest wait where neither this limit nor the call site names
 * one; {@code null}: no bound
 * @param maxWaiters how many calls may wait at once; {@code null}: any number
 * @param maxKeys how many keyed buckets are kept in memory; more than zero
 * @param initialTokens what the unkeyed bucket holds at first, from zero to the capacity;
 * {@code null}: it is full
 * @param keyLimits the limits of single keys, where they are others
 * @param unlimitedKeys keys whose calls all pass
 * @param shadow whether the limit only counts and logs what it would refuse, and lets it
 * pass
 * @param store name of the store that keeps the buckets
 * @param onStoreFailure what becomes of calls while the store does not answer
 */
public record RateLimiterSettings(String name, RateLimit limit, boolean enabled, @Nullable RateLimitMode mode,
		@Nullable Duration maxWait, @Nullable Duration defaultMaxWait, @Nullable Integer maxWaiters, long maxKeys,
		@Nullable Long initialTokens, Map<String, RateLimit> keyLimits, Set<String> unlimitedKeys, boolean shadow,
		String store, StoreFailurePolicy onStoreFailure) {

	/**
	 * Keyed buckets kept in memory unless set otherwise.
	 */
	public static final long DEFAULT_MAX_KEYS = 100_000;

	/**
	 * Creates settings.
	 */
	public RateLimiterSettings {
		keyLimits = Map.copyOf(keyLimits);
		unlimitedKeys = Set.copyOf(unlimitedKeys);
	}

	/**
	 * Returns settings that name only a limit and leave all else at its default.
	 * @param name name of the limit
	 * @param limit the limit
	 * @return the settings
	 */
	public static RateLimiterSettings of(String name, RateLimit limit) {
		return new RateLimiterSettings(name, limit, true, null, null, null, null, DEFAULT_MAX_KEYS, null, Map.of(),
				Set.of(), false, LocalTokenBucketStore.NAME, StoreFailurePolicy.LOCAL);
	}

	/**
	 * Returns the limit of a key's bucket.
	 * @param key the key; {@code null}: the unkeyed bucket
	 * @return the limit of the key, where it has one of its own
	 */
	public RateLimit limit(@Nullable String key) {
		return (key == null || this.keyLimits.isEmpty()) ? this.limit : this.keyLimits.getOrDefault(key, this.limit);
	}

	/**
	 * Returns whether calls of a key all pass.
	 */
	boolean isUnlimited(@Nullable String key) {
		return key != null && !this.unlimitedKeys.isEmpty() && this.unlimitedKeys.contains(key);
	}

	RateLimiterSettings withLimit(RateLimit limit) {
		return new RateLimiterSettings(this.name, limit, this.enabled, this.mode, this.maxWait, this.defaultMaxWait,
				this.maxWaiters, this.maxKeys, this.initialTokens, this.keyLimits, this.unlimitedKeys, this.shadow,
				this.store, this.onStoreFailure);
	}

	RateLimiterSettings withShadow(boolean shadow) {
		return new RateLimiterSettings(this.name, this.limit, this.enabled, this.mode, this.maxWait,
				this.defaultMaxWait, this.maxWaiters, this.maxKeys, this.initialTokens, this.keyLimits,
				this.unlimitedKeys, shadow, this.store, this.onStoreFailure);
	}

	/**
	 * Returns the longest wait of a call site.
	 * @param siteMode what the call site says to do
	 * @param siteMaxWait the longest wait that the call site names, if it names one
	 * @return nanoseconds; zero in mode {@link RateLimitMode#REJECT},
	 * {@link Long#MAX_VALUE} where there is no bound
	 */
	public long maxWaitNanos(RateLimitMode siteMode, @Nullable Duration siteMaxWait) {
		RateLimitMode effectiveMode = (this.mode != null) ? this.mode : siteMode;
		if (effectiveMode == RateLimitMode.REJECT) {
			return 0;
		}
		Duration effective = (this.maxWait != null) ? this.maxWait : siteMaxWait;
		effective = (effective != null) ? effective : this.defaultMaxWait;
		return (effective != null) ? Waits.nanos(effective) : Long.MAX_VALUE;
	}

}
