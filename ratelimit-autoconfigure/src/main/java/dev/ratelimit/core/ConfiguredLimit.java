package dev.ratelimit.core;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What the configuration says about a limit. What it does not say, code says, or the
 * default holds.
 *
 * @param name name of the limit, as it is spelt
 * @param path path of its properties, for messages
 * @param rate tokens added in each period; {@code null}: not said
 * @param per the period; {@code null}: not said
 * @param capacity most tokens the bucket holds; {@code null}: not said
 * @param initialTokens what the unkeyed bucket holds at first; {@code null}: it is full
 * @param mode what a call does when there are too few tokens; {@code null}: not said
 * @param maxWait the longest wait; {@code null}: not said
 * @param maxWaiters how many calls may wait at once; {@code null}: any number
 * @param maxKeys how many keyed buckets are kept in memory
 * @param enabled whether the limit is in force
 * @param shadow whether the limit only counts and logs what it would refuse
 * @param keys what is said about single keys
 * @param store name of the store that keeps the buckets; {@code null}: the default one
 * @param onStoreFailure what becomes of calls while the store does not answer
 */
public record ConfiguredLimit(String name, String path, @Nullable Double rate, @Nullable Duration per,
		@Nullable Long capacity, @Nullable Long initialTokens, @Nullable RateLimitMode mode, @Nullable Duration maxWait,
		@Nullable Integer maxWaiters, long maxKeys, boolean enabled, boolean shadow, Map<String, Key> keys,
		@Nullable String store, StoreFailurePolicy onStoreFailure) {

	/**
	 * What the configuration says about one key.
	 *
	 * @param unlimited whether its calls all pass
	 * @param rate tokens added in each period; {@code null}: as for the other keys
	 * @param per the period; {@code null}: as for the other keys
	 * @param capacity most tokens the bucket holds; {@code null}: as for the other keys
	 * or, where a rate is said, that of the rate
	 */
	public record Key(boolean unlimited, @Nullable Double rate, @Nullable Duration per, @Nullable Long capacity) {

	}

}
