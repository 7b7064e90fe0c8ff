package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.aspect.RateLimitVerification;
import dev.ratelimit.core.LocalTokenBucketStore;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiterSettings;
import dev.ratelimit.core.StoreFailurePolicy;
import dev.ratelimit.redis.RedisTokenBucketStore;
import dev.ratelimit.web.RateLimitHeadersStyle;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.Ordered;

/**
 * Properties below {@code ratelimit}.
 */
@ConfigurationProperties("ratelimit")
public class RateLimitProperties {

	/**
	 * Default position of the advice.
	 */
	static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	/**
	 * Whether annotated methods are limited. Buckets used in code keep limiting.
	 */
	private boolean enabled = true;

	/**
	 * Position of the advice among those of a method.
	 */
	private int order = DEFAULT_ORDER;

	/**
	 * Longest wait in mode WAIT, where neither the bucket nor the annotation sets one.
	 */
	private @Nullable Duration maxWait;

	/**
	 * Name of the store that keeps the buckets, possibly of a TokenBucketStore bean.
	 */
	private String store = LocalTokenBucketStore.NAME;

	/**
	 * What becomes of faults that startup finds in annotated methods.
	 */
	private RateLimitVerification verify = RateLimitVerification.FAIL;

	/**
	 * Meters of limits.
	 */
	private final Metrics metrics = new Metrics();

	/**
	 * Limits by name.
	 */
	private final Map<String, Bucket> buckets = new LinkedHashMap<>();

	private final Redis redis = new Redis();

	private final Http http = new Http();

	/**
	 * Returns whether annotated methods are limited.
	 * @return {@code true} by default
	 */
	public boolean isEnabled() {
		return this.enabled;
	}

	/**
	 * Sets whether annotated methods are limited.
	 * @param enabled {@code false}: they are not
	 */
	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	/**
	 * Returns the position of the advice.
	 * @return {@code Ordered.LOWEST_PRECEDENCE - 100} by default
	 */
	public int getOrder() {
		return this.order;
	}

	/**
	 * Sets the position of the advice.
	 * @param order the position, as of {@link Ordered}
	 */
	public void setOrder(int order) {
		this.order = order;
	}

	/**
	 * Returns the longest wait.
	 * @return the wait, or {@code null} for no bound
	 */
	public @Nullable Duration getMaxWait() {
		return this.maxWait;
	}

	/**
	 * Sets the longest wait.
	 * @param maxWait zero or more; {@code null}: no bound
	 */
	public void setMaxWait(@Nullable Duration maxWait) {
		this.maxWait = maxWait;
	}

	/**
	 * Returns the name of the store of buckets that name none.
	 * @return {@code local} by default
	 */
	public String getStore() {
		return this.store;
	}

	/**
	 * Sets the name of the store of buckets that name none.
	 * @param store {@code local}, {@code redis}, or the name of a
	 * {@link dev.ratelimit.core.TokenBucketStore} bean
	 */
	public void setStore(String store) {
		this.store = store;
	}

	/**
	 * Returns what becomes of faults that startup finds in annotated methods.
	 * @return {@link RateLimitVerification#FAIL} by default
	 */
	public RateLimitVerification getVerify() {
		return this.verify;
	}

	/**
	 * Sets what becomes of faults that startup finds in annotated methods.
	 * @param verify whether they end startup, are logged, or are not looked for
	 */
	public void setVerify(RateLimitVerification verify) {
		this.verify = verify;
	}

	/**
	 * Returns the properties of meters.
	 * @return the properties
	 */
	public Metrics getMetrics() {
		return this.metrics;
	}

	/**
	 * Returns the limits.
	 * @return settings by name
	 */
	public Map<String, Bucket> getBuckets() {
		return this.buckets;
	}

	/**
	 * Returns the properties of the store in Redis.
	 * @return the properties
	 */
	public Redis getRedis() {
		return this.redis;
	}

	/**
	 * Properties of the store in Redis.
	 */
	public static class Redis {

		/**
		 * Start of the names of all keys.
		 */
		private String keyPrefix = RedisTokenBucketStore.DEFAULT_KEY_PREFIX;

		/**
		 * Longest time that a call waits for Redis, connecting included.
		 */
		private Duration timeout = RedisTokenBucketStore.DEFAULT_TIMEOUT;

		/**
		 * Returns the start of the names of all keys.
		 * @return {@code ratelimit:} by default
		 */
		public String getKeyPrefix() {
			return this.keyPrefix;
		}

		/**
		 * Sets the start of the names of all keys.
		 * @param keyPrefix the start, possibly empty
		 */
		public void setKeyPrefix(String keyPrefix) {
			this.keyPrefix = keyPrefix;
		}

		/**
		 * Returns the longest time that a call waits for Redis.
		 * @return 250 ms by default
		 */
		public Duration getTimeout() {
			return this.timeout;
		}

		/**
		 * Sets the longest time that a call waits for Redis.
		 * @param timeout the time, more than zero
		 */
		public void setTimeout(Duration timeout) {
			this.timeout = timeout;
		}

	}

	/**
	 * Returns what concerns HTTP.
	 * @return the properties below {@code ratelimit.http}
	 */
	public Http getHttp() {
		return this.http;
	}

	/**
	 * Properties of meters.
	 */
	public static class Metrics {

		/**
		 * Whether what limits decide is counted in meters.
		 */
		private boolean enabled = true;

		/**
		 * Returns whether what limits decide is counted in meters.
		 * @return {@code true} by default
		 */
		public boolean isEnabled() {
			return this.enabled;
		}

		/**
		 * Sets whether what limits decide is counted in meters.
		 * @param enabled {@code false}: no meter is registered
		 */
		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

	}

	/**
	 * Properties of one limit.
	 */
	public static class Bucket {

		/**
		 * Whether the limit is in force. A limit that is not lets every call pass.
		 */
		private boolean enabled = true;

		/**
		 * Tokens added in each period, possibly a fraction.
		 */
		private @Nullable Double rate;

		/**
		 * Period of the rate.
		 */
		private @Nullable Duration per;

		/**
		 * Most tokens the bucket holds, and so the largest burst.
		 */
		private @Nullable Long capacity;

		/**
		 * Tokens that the unkeyed bucket holds at startup. If not specified, it is full.
		 */
		private @Nullable Long initialTokens;

		/**
		 * What a call does when there are too few tokens. Overrides the annotation.
		 */
		private @Nullable RateLimitMode mode;

		/**
		 * Longest wait in mode WAIT. Overrides the annotation.
		 */
		private @Nullable Duration maxWait;

		/**
		 * Calls that may wait at once in this node. If not specified, any number may.
		 */
		private @Nullable Integer maxWaiters;

		/**
		 * Keyed buckets kept in memory.
		 */
		private long maxKeys = RateLimiterSettings.DEFAULT_MAX_KEYS;

		/**
		 * Whether calls that would be refused, or would wait, are only counted and
		 * logged, and pass.
		 */
		private boolean shadow;

		/**
		 * Name of the store that keeps the buckets. If not specified, that of all limits.
		 */
		private @Nullable String store;

		/**
		 * What becomes of calls while the store does not answer.
		 */
		private StoreFailurePolicy onStoreFailure = StoreFailurePolicy.LOCAL;

		/**
		 * Other limits for single keys.
		 */
		private final Map<String, Key> keys = new LinkedHashMap<>();

		/**
		 * Returns whether the limit is in force.
		 * @return {@code true} by default
		 */
		public boolean isEnabled() {
			return this.enabled;
		}

		/**
		 * Sets whether the limit is in force.
		 * @param enabled {@code false}: every call passes
		 */
		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

		/**
		 * Returns the tokens added in each period.
		 * @return the rate, or {@code null} for what the annotation says
		 */
		public @Nullable Double getRate() {
			return this.rate;
		}

		/**
		 * Sets the tokens added in each period.
		 * @param rate the rate, more than zero
		 */
		public void setRate(@Nullable Double rate) {
			this.rate = rate;
		}

		/**
		 * Returns the period of the rate.
		 * @return the period, or {@code null} for what the annotation says, else a second
		 */
		public @Nullable Duration getPer() {
			return this.per;
		}

		/**
		 * Sets the period of the rate.
		 * @param per the period, more than zero
		 */
		public void setPer(@Nullable Duration per) {
			this.per = per;
		}

		/**
		 * Returns the most tokens the bucket holds.
		 * @return the capacity, or {@code null} for what the annotation says, else the
		 * rate rounded up
		 */
		public @Nullable Long getCapacity() {
			return this.capacity;
		}

		/**
		 * Sets the most tokens the bucket holds.
		 * @param capacity from 1 to 2<sup>53</sup>
		 */
		public void setCapacity(@Nullable Long capacity) {
			this.capacity = capacity;
		}

		/**
		 * Returns the tokens that the unkeyed bucket holds at startup.
		 * @return the tokens, or {@code null} for a full bucket
		 */
		public @Nullable Long getInitialTokens() {
			return this.initialTokens;
		}

		/**
		 * Sets the tokens that the unkeyed bucket holds at startup.
		 * @param initialTokens from 0 to the capacity
		 */
		public void setInitialTokens(@Nullable Long initialTokens) {
			this.initialTokens = initialTokens;
		}

		/**
		 * Returns what a call does when there are too few tokens.
		 * @return the mode, or {@code null} for what the annotation says
		 */
		public @Nullable RateLimitMode getMode() {
			return this.mode;
		}

		/**
		 * Sets what a call does when there are too few tokens.
		 * @param mode the mode
		 */
		public void setMode(@Nullable RateLimitMode mode) {
			this.mode = mode;
		}

		/**
		 * Returns the longest wait.
		 * @return the wait, or {@code null} for what the annotation says
		 */
		public @Nullable Duration getMaxWait() {
			return this.maxWait;
		}

		/**
		 * Sets the longest wait.
		 * @param maxWait zero or more
		 */
		public void setMaxWait(@Nullable Duration maxWait) {
			this.maxWait = maxWait;
		}

		/**
		 * Returns how many calls may wait at once.
		 * @return the number, or {@code null} for any
		 */
		public @Nullable Integer getMaxWaiters() {
			return this.maxWaiters;
		}

		/**
		 * Sets how many calls may wait at once.
		 * @param maxWaiters zero or more
		 */
		public void setMaxWaiters(@Nullable Integer maxWaiters) {
			this.maxWaiters = maxWaiters;
		}

		/**
		 * Returns how many keyed buckets are kept in memory.
		 * @return 100,000 by default
		 */
		public long getMaxKeys() {
			return this.maxKeys;
		}

		/**
		 * Sets how many keyed buckets are kept in memory.
		 * @param maxKeys one or more
		 */
		public void setMaxKeys(long maxKeys) {
			this.maxKeys = maxKeys;
		}

		/**
		 * Returns whether calls that would be refused, or would wait, are only counted
		 * and logged.
		 * @return {@code false} by default
		 */
		public boolean isShadow() {
			return this.shadow;
		}

		/**
		 * Sets whether calls that would be refused, or would wait, are only counted and
		 * logged.
		 * @param shadow {@code true}: every call passes
		 */
		public void setShadow(boolean shadow) {
			this.shadow = shadow;
		}

		/**
		 * Returns the name of the store that keeps the buckets.
		 * @return the name, or {@code null} for that of all limits
		 */
		public @Nullable String getStore() {
			return this.store;
		}

		/**
		 * Sets the name of the store that keeps the buckets.
		 * @param store {@code local}, {@code redis}, or the name of a
		 * {@link dev.ratelimit.core.TokenBucketStore} bean
		 */
		public void setStore(@Nullable String store) {
			this.store = store;
		}

		/**
		 * Returns what becomes of calls while the store does not answer.
		 * @return {@link StoreFailurePolicy#LOCAL} by default
		 */
		public StoreFailurePolicy getOnStoreFailure() {
			return this.onStoreFailure;
		}

		/**
		 * Sets what becomes of calls while the store does not answer.
		 * @param onStoreFailure what becomes of them
		 */
		public void setOnStoreFailure(StoreFailurePolicy onStoreFailure) {
			this.onStoreFailure = onStoreFailure;
		}

		/**
		 * Returns the limits of single keys.
		 * @return settings by key
		 */
		public Map<String, Key> getKeys() {
			return this.keys;
		}

	}

	/**
	 * Properties of one key.
	 */
	public static class Key {

		/**
		 * Whether all calls of the key pass.
		 */
		private boolean unlimited;

		/**
		 * Tokens added in each period, possibly a fraction.
		 */
		private @Nullable Double rate;

		/**
		 * Period of the rate.
		 */
		private @Nullable Duration per;

		/**
		 * Most tokens the bucket holds, and so the largest burst.
		 */
		private @Nullable Long capacity;

		/**
		 * Returns whether all calls of the key pass.
		 * @return {@code false} by default
		 */
		public boolean isUnlimited() {
			return this.unlimited;
		}

		/**
		 * Sets whether all calls of the key pass.
		 * @param unlimited {@code true}: they do
		 */
		public void setUnlimited(boolean unlimited) {
			this.unlimited = unlimited;
		}

		/**
		 * Returns the tokens added in each period.
		 * @return the rate, or {@code null} for that of the other keys
		 */
		public @Nullable Double getRate() {
			return this.rate;
		}

		/**
		 * Sets the tokens added in each period.
		 * @param rate the rate, more than zero
		 */
		public void setRate(@Nullable Double rate) {
			this.rate = rate;
		}

		/**
		 * Returns the period of the rate.
		 * @return the period, or {@code null} for that of the other keys
		 */
		public @Nullable Duration getPer() {
			return this.per;
		}

		/**
		 * Sets the period of the rate.
		 * @param per the period, more than zero
		 */
		public void setPer(@Nullable Duration per) {
			this.per = per;
		}

		/**
		 * Returns the most tokens the bucket holds.
		 * @return the capacity, or {@code null} for the rate rounded up or, without a
		 * rate, for that of the other keys
		 */
		public @Nullable Long getCapacity() {
			return this.capacity;
		}

		/**
		 * Sets the most tokens the bucket holds.
		 * @param capacity from 1 to 2<sup>53</sup>
		 */
		public void setCapacity(@Nullable Long capacity) {
			this.capacity = capacity;
		}

	}

	/**
	 * Properties of HTTP requests and responses.
	 */
	public static class Http {

		/**
		 * Fields of a response that tell the client about its limits.
		 */
		private RateLimitHeadersStyle headers = RateLimitHeadersStyle.STANDARD;

		private final ClientIp clientIp = new ClientIp();

		/**
		 * Limits on requests by path.
		 */
		private List<RouteProperties> routes = new ArrayList<>();

		/**
		 * Returns which fields tell the client about its limits.
		 * @return {@link RateLimitHeadersStyle#STANDARD} by default
		 */
		public RateLimitHeadersStyle getHeaders() {
			return this.headers;
		}

		/**
		 * Sets which fields tell the client about its limits.
		 * @param headers those of the draft, those in use before it, or none
		 */
		public void setHeaders(RateLimitHeadersStyle headers) {
			this.headers = headers;
		}

		/**
		 * Returns how the address of a client is found.
		 * @return the properties below {@code ratelimit.http.client-ip}
		 */
		public ClientIp getClientIp() {
			return this.clientIp;
		}

		/**
		 * Returns the limits on requests by path. All that match a request limit it.
		 * @return the routes; none by default
		 */
		public List<RouteProperties> getRoutes() {
			return this.routes;
		}

		/**
		 * Sets the limits on requests by path.
		 * @param routes the routes
		 */
		public void setRoutes(List<RouteProperties> routes) {
			this.routes = routes;
		}

	}

	/**
	 * Properties of the address of a client.
	 */
	public static class ClientIp {

		/**
		 * Proxies that are believed: addresses or CIDR ranges.
		 */
		private List<String> trustedProxies = new ArrayList<>();

		/**
		 * Bits of an IPv6 address that tell clients apart.
		 */
		private int ipv6Prefix = 64;

		/**
		 * Returns the proxies whose {@code Forwarded} or {@code X-Forwarded-For} is
		 * believed.
		 * @return addresses or CIDR ranges; none by default
		 */
		public List<String> getTrustedProxies() {
			return this.trustedProxies;
		}

		/**
		 * Sets the proxies whose {@code Forwarded} or {@code X-Forwarded-For} is
		 * believed.
		 * @param trustedProxies addresses or CIDR ranges, IPv4 or IPv6
		 */
		public void setTrustedProxies(List<String> trustedProxies) {
			this.trustedProxies = trustedProxies;
		}

		/**
		 * Returns how many bits of an IPv6 address tell clients apart.
		 * @return 64 by default
		 */
		public int getIpv6Prefix() {
			return this.ipv6Prefix;
		}

		/**
		 * Sets how many bits of an IPv6 address tell clients apart.
		 * @param ipv6Prefix from 1 to 128
		 */
		public void setIpv6Prefix(int ipv6Prefix) {
			this.ipv6Prefix = ipv6Prefix;
		}

	}

}
