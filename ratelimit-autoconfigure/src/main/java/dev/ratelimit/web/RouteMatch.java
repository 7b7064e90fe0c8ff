package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request that a route limits.
 *
 * @param limit the limit of the route
 * @param variables values of the variables in the pattern of its path
 */
public record RouteMatch(RouteLimit limit, Map<String, String> variables) {

	/**
	 * Returns whether the limits ask for the name of the caller.
	 * @param matches the routes of one request
	 * @return {@code true} if the name must be known before they are asked
	 */
	public static boolean askForPrincipal(List<RouteMatch> matches) {
		return matches.stream().anyMatch((match) -> match.limit.asksForPrincipal());
	}

	/**
	 * Returns what a request asks of the limits that apply to it.
	 * @param matches the routes of one request
	 * @param context the request
	 * @return what is asked, possibly nothing
	 * @throws IllegalStateException if an expression has no value, or one that says
	 * nothing
	 */
	public static List<RateLimitRequest> requests(List<RouteMatch> matches, CallContext context) {
		Stream<@Nullable RateLimitRequest> requests = matches.stream()
			.map((match) -> match.limit.request(match, context));
		return requests.filter(Objects::nonNull).toList();
	}

}
