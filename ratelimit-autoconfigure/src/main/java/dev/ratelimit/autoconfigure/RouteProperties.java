package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.web.Route;
import dev.ratelimit.web.RouteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a limit on requests by path.
 */
public class RouteProperties {

	/**
	 * Pattern of the paths, as in {@code @RequestMapping}.
	 */
	private @Nullable String path;

	/**
	 * HTTP methods, all if none is listed. GET includes HEAD.
	 */
	private List<String> methods = new ArrayList<>();

	/**
	 * Name of the bucket below ratelimit.buckets.
	 */
	private @Nullable String bucket;

	/**
	 * Expression of the key, as of the annotation. Sees the variables of the path.
	 */
	private @Nullable String key;

	/**
	 * Expression of the number of tokens that a request takes.
	 */
	private String tokens = "1";

	/**
	 * Expression of when the limit applies.
	 */
	private @Nullable String condition;

	/**
	 * What a request does when there are too few tokens. The bucket's mode has
	 * precedence.
	 */
	private RateLimitMode mode = RateLimitMode.REJECT;

	/**
	 * Longest wait in mode wait. That of the bucket has precedence.
	 */
	private @Nullable Duration maxWait;

	/**
	 * Position among the filters of the application.
	 */
	private RouteOrder order = RouteOrder.AFTER_SECURITY;

	/**
	 * Returns the pattern of the paths.
	 * @return the pattern, or {@code null} if it is not set, which ends startup
	 */
	public @Nullable String getPath() {
		return this.path;
	}

	/**
	 * Sets the pattern of the paths.
	 * @param path a pattern as in {@code @RequestMapping}: {@code /api/**}
	 */
	public void setPath(@Nullable String path) {
		this.path = path;
	}

	/**
	 * Returns the HTTP methods.
	 * @return names of methods; empty: all
	 */
	public List<String> getMethods() {
		return this.methods;
	}

	/**
	 * Sets the HTTP methods.
	 * @param methods names of methods in any case; empty: all
	 */
	public void setMethods(List<String> methods) {
		this.methods = methods;
	}

	/**
	 * Returns the name of the bucket.
	 * @return the name, or {@code null} if it is not set, which ends startup
	 */
	public @Nullable String getBucket() {
		return this.bucket;
	}

	/**
	 * Sets the name of the bucket.
	 * @param bucket the name of one below {@code ratelimit.buckets}
	 */
	public void setBucket(@Nullable String bucket) {
		this.bucket = bucket;
	}

	/**
	 * Returns the expression of the key.
	 * @return the expression; {@code null}: the unkeyed bucket
	 */
	public @Nullable String getKey() {
		return this.key;
	}

	/**
	 * Sets the expression of the key.
	 * @param key an expression that sees {@code clientIp}, {@code principal},
	 * {@code header('...')}, beans and the variables of the path
	 */
	public void setKey(@Nullable String key) {
		this.key = key;
	}

	/**
	 * Returns the expression of the number of tokens.
	 * @return {@code "1"} by default
	 */
	public String getTokens() {
		return this.tokens;
	}

	/**
	 * Sets the expression of the number of tokens.
	 * @param tokens an expression whose value is a whole number of one or more
	 */
	public void setTokens(String tokens) {
		this.tokens = tokens;
	}

	/**
	 * Returns the expression of the condition.
	 * @return the expression; {@code null}: the limit always applies
	 */
	public @Nullable String getCondition() {
		return this.condition;
	}

	/**
	 * Sets the expression of the condition.
	 * @param condition an expression that is true where the limit applies
	 */
	public void setCondition(@Nullable String condition) {
		this.condition = condition;
	}

	/**
	 * Returns what a request does when there are too few tokens.
	 * @return {@link RateLimitMode#REJECT} by default
	 */
	public RateLimitMode getMode() {
		return this.mode;
	}

	/**
	 * Sets what a request does when there are too few tokens.
	 * @param mode the mode, unless the bucket says another
	 */
	public void setMode(RateLimitMode mode) {
		this.mode = mode;
	}

	/**
	 * Returns the longest wait.
	 * @return the wait; {@code null}: that of the bucket, else {@code ratelimit.max-wait}
	 */
	public @Nullable Duration getMaxWait() {
		return this.maxWait;
	}

	/**
	 * Sets the longest wait.
	 * @param maxWait zero or more, unless the bucket says another
	 */
	public void setMaxWait(@Nullable Duration maxWait) {
		this.maxWait = maxWait;
	}

	/**
	 * Returns the position among the filters.
	 * @return {@link RouteOrder#AFTER_SECURITY} by default
	 */
	public RouteOrder getOrder() {
		return this.order;
	}

	/**
	 * Sets the position among the filters.
	 * @param order the position
	 */
	public void setOrder(RouteOrder order) {
		this.order = order;
	}

	Route toRoute(int index) {
		return new Route("ratelimit.http.routes[%d]".formatted(index), this.path, this.methods, this.bucket, this.key,
				this.tokens, this.condition, this.mode, this.maxWait, this.order);
	}

}
