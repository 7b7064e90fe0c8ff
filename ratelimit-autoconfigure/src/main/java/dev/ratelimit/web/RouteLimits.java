package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.expression.ExpressionBeans;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.http.server.PathContainer;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The limits on requests that are configured by routes. They are checked when the
 * singletons are there, for a limit may get its rate from an annotation.
 */
public final class RouteLimits implements SmartInitializingSingleton {

	private final List<Route> routes;

	private final Supplier<RouteParser> parser;

	private final SingletonSupplier<List<RouteLimit>> limits;

	/**
	 * Creates limits.
	 * @param routes what is configured, in order
	 * @param registry holds the limits that routes name
	 * @param beans the beans that expressions name
	 * @param patternParser what parses the patterns of the application's handlers, so
	 * that a route matches what they match
	 */
	public RouteLimits(List<Route> routes, RateLimiterRegistry registry, ExpressionBeans beans,
			Supplier<PathPatternParser> patternParser) {
		this.routes = List.copyOf(routes);
		this.parser = () -> new RouteParser(registry, beans, patternParser.get());
		this.limits = SingletonSupplier.of(this::parse);
	}

	/**
	 * Checks all routes.
	 * @throws RateLimitConfigurationException if some of them cannot work
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.limits.obtain();
	}

	/**
	 * Finds the routes of a request. All of them limit it.
	 * @param order where the asking filter stands
	 * @param method name of the HTTP method
	 * @param paths path of the request within the application, in each way in which it
	 * can be read; the first that a route matches says what its variables are
	 * @return the matches, in order of configuration
	 */
	public List<RouteMatch> match(RouteOrder order, String method, List<PathContainer> paths) {
		Stream<@Nullable RouteMatch> matches = this.limits.obtain()
			.stream()
			.filter((limit) -> limit.route().order() == order)
			.map((limit) -> limit.match(method, paths));
		return matches.filter(Objects::nonNull).toList();
	}

	private List<RouteLimit> parse() {
		List<Fault> faults = new ArrayList<>();
		List<RouteLimit> parsed = new ArrayList<>();
		RouteParser parser = this.parser.get();
		for (Route route : this.routes) {
			try {
				parsed.add(parser.parse(route));
			}
			catch (RateLimitConfigurationException ex) {
				faults.addAll(ex.getFaults());
			}
		}
		if (!faults.isEmpty()) {
			throw new RateLimitConfigurationException(faults);
		}
		return List.copyOf(parsed);
	}

}
