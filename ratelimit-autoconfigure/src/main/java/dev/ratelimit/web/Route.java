package dev.ratelimit.web;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.core.RateLimitMode;
import org.jspecify.annotations.Nullable;

/**
 * A limit on requests, as it is configured.
 *
 * @param property path of its properties, for messages
 * @param path pattern of the paths that it limits; {@code null}: forgotten
 * @param methods names of the HTTP methods that it limits; empty: all
 * @param bucket name of the limit; {@code null}: forgotten
 * @param key expression of the key; {@code null}: the unkeyed bucket
 * @param tokens expression of the number of tokens that a request takes
 * @param condition expression of when the limit applies; {@code null}: always
 * @param mode what a request does when there are too few tokens, unless the limit says so
 * @param maxWait the longest wait, unless the limit says so; {@code null}: not said
 * @param order where it stands among the filters of the application
 */
public record Route(String property, @Nullable String path, List<String> methods, @Nullable String bucket,
		@Nullable String key, String tokens, @Nullable String condition, RateLimitMode mode, @Nullable Duration maxWait,
		RouteOrder order) {

	/**
	 * Creates a route.
	 */
	public Route {
		methods = List.copyOf(methods);
	}

	String describe(String attribute, @Nullable Object value) {
		return "%s.%s = \"%s\"".formatted(this.property, attribute, value);
	}

}
