package dev.ratelimit.core;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * The stores of an application, by name. Remote ones are made resilient: while one does
 * not answer, each limit goes on as its {@link StoreFailurePolicy} says.
 */
public final class TokenBucketStores {

	private final Map<String, TokenBucketStore> stores = new TreeMap<>();

	private final String defaultName;

	private final UnaryOperator<String> remedy;

	/**
	 * Creates stores.
	 * @param timeSource the clock by which failed stores are tried again
	 * @param stores the stores, of which a later one replaces an earlier one of its name
	 * @param defaultName name of the store of limits that name none
	 * @param remedy what to do about a store that does not exist, by its name
	 */
	public TokenBucketStores(TimeSource timeSource, Collection<? extends TokenBucketStore> stores, String defaultName,
			UnaryOperator<String> remedy) {
		stores.forEach((store) -> this.stores.put(store.name(),
				store.isRemote() ? new ResilientTokenBucketStore(store, timeSource) : store));
		this.defaultName = defaultName;
		this.remedy = remedy;
	}

	/**
	 * Looks for the store of limits that name none.
	 * @param path path of the property that names it, for messages
	 * @return these stores
	 * @throws RateLimitConfigurationException if it does not exist
	 */
	public TokenBucketStores checkDefault(String path) {
		get(this.defaultName, path);
		return this;
	}

	/**
	 * Returns a store.
	 * @param name its name; {@code null}: that of the default one
	 * @param path path of the property that names it, for messages
	 * @throws RateLimitConfigurationException if there is none
	 */
	TokenBucketStore get(@Nullable String name, String path) {
		String wanted = (name != null) ? name : this.defaultName;
		TokenBucketStore store = this.stores.get(wanted);
		if (store == null) {
			throw new RateLimitConfigurationException("%s is %s, but there is no such store, only %s".formatted(path,
					wanted, String.join(", ", this.stores.keySet())), this.remedy.apply(wanted));
		}
		return store;
	}

	/**
	 * Returns the name of the store of limits that name none.
	 */
	String defaultName() {
		return this.defaultName;
	}

}
