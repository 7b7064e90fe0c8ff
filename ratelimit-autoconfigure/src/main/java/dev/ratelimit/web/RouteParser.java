package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.expression.ExpressionBeans;
import dev.ratelimit.expression.ExpressionScope;
import dev.ratelimit.expression.ExpressionValues;
import dev.ratelimit.expression.LimitExpression;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Makes limits of routes, or tells all that is wrong with one.
 *
 * @param registry holds the limits that routes name
 * @param beans the beans that expressions name
 * @param patternParser parses patterns as the application does
 */
record RouteParser(RateLimiterRegistry registry, ExpressionBeans beans, PathPatternParser patternParser) {

	private static final List<String> METHODS = List.of(HttpMethod.values()).stream().map(HttpMethod::name).toList();

	private static final Pattern VARIABLE = Pattern.compile("\\{\\*?([^/:}]+)");

	/**
	 * Makes the limit of a route.
	 * @throws RateLimitConfigurationException if it cannot work
	 */
	RouteLimit parse(Route route) {
		List<Fault> faults = new ArrayList<>();
		PathPattern pattern = collect(faults, () -> pattern(route));
		Set<String> methods = collect(faults, () -> methods(route));
		RateLimiter limiter = collect(faults, () -> limiter(route));
		ExpressionScope scope = ExpressionScope
			.ofPath((pattern != null) ? variables(pattern.getPatternString()) : List.of(), this.beans);
		RouteExpression key = expression(route, "key", route.key(), scope, faults);
		RouteExpression tokens = collect(faults, () -> tokens(route, scope));
		RouteExpression condition = expression(route, "condition", route.condition(), scope, faults);
		collect(faults, () -> checkConstants(route, tokens, condition, limiter));
		collect(faults, () -> checkMaxWait(route));
		if (!faults.isEmpty()) {
			throw new RateLimitConfigurationException(faults);
		}
		this.registry.use(Objects.requireNonNull(limiter), route.mode());
		return new RouteLimit(route, Objects.requireNonNull(pattern), Objects.requireNonNull(methods), limiter, key,
				Objects.requireNonNull(tokens), condition, this.beans.resolver());
	}

	private PathPattern pattern(Route route) {
		String path = required(route, "path", route.path(), "Write the pattern of a path: \"/api/**\".");
		try {
			return this.patternParser.parse(this.patternParser.initFullPathPattern(path));
		}
		catch (PatternParseException ex) {
			throw new RateLimitConfigurationException(
					"%s is no pattern of a path: %s".formatted(route.describe("path", path), ex.getMessage()),
					"Write a pattern as in @RequestMapping: \"/api/**\", \"/users/{user}\".");
		}
	}

	private static List<String> variables(String pattern) {
		List<String> variables = new ArrayList<>();
		Matcher matcher = VARIABLE.matcher(pattern);
		while (matcher.find()) {
			variables.add(matcher.group(1));
		}
		return variables;
	}

	/**
	 * Reads the HTTP methods. A limit on GET is one on HEAD too, which runs the same
	 * handler.
	 */
	private static Set<String> methods(Route route) {
		Set<String> methods = new HashSet<>();
		for (String written : route.methods()) {
			String method = written.strip().toUpperCase(Locale.ROOT);
			if (!METHODS.contains(method)) {
				throw new RateLimitConfigurationException(
						"%s is no HTTP method".formatted(route.describe("methods", written)),
						"Write some of %s, or none for all.".formatted(METHODS));
			}
			methods.add(method);
		}
		if (methods.contains(HttpMethod.GET.name())) {
			methods.add(HttpMethod.HEAD.name());
		}
		return Set.copyOf(methods);
	}

	private RateLimiter limiter(Route route) {
		String name = required(route, "bucket", route.bucket(), "Write the name of one below ratelimit.buckets.");
		try {
			return this.registry.get(name);
		}
		catch (IllegalArgumentException ex) {
			throw new RateLimitConfigurationException(
					"%s: %s".formatted(route.describe("bucket", name), ex.getMessage()),
					"Correct the name, or set ratelimit.buckets.%s.rate.".formatted(name));
		}
	}

	private static String required(Route route, String attribute, @Nullable String value, String remedy) {
		if (value == null || value.isBlank()) {
			throw new RateLimitConfigurationException("%s.%s is missing".formatted(route.property(), attribute),
					remedy);
		}
		return value;
	}

	private static RouteExpression tokens(Route route, ExpressionScope scope) {
		return expression(route, "tokens",
				required(route, "tokens", route.tokens(), "Write a whole number of one or more, or nothing for one."),
				scope);
	}

	private static @Nullable RouteExpression expression(Route route, String attribute, @Nullable String written,
			ExpressionScope scope, List<Fault> faults) {
		return (written == null || written.isBlank()) ? null
				: collect(faults, () -> expression(route, attribute, written, scope));
	}

	private static RouteExpression expression(Route route, String attribute, String written, ExpressionScope scope) {
		String description = route.describe(attribute, written);
		LimitExpression expression = LimitExpression.parse(written, description, scope);
		if (route.order() == RouteOrder.BEFORE_SECURITY && expression.asksForPrincipal()) {
			throw new RateLimitConfigurationException(
					"%s asks for the principal, which is not known before security".formatted(description),
					"Write order: after-security, or take clientIp.");
		}
		return new RouteExpression(expression, description);
	}

	private static Route checkConstants(Route route, @Nullable RouteExpression tokens,
			@Nullable RouteExpression condition, @Nullable RateLimiter limiter) {
		if (condition != null && condition.expression().isConstant()) {
			ExpressionValues.constantCondition(condition.expression().constant(), condition.description());
		}
		if (tokens != null && tokens.expression().isConstant()) {
			long number = ExpressionValues.constantTokens(tokens.expression().constant(), tokens.description());
			long capacity = (limiter != null) ? limiter.settings().limit().capacity() : Long.MAX_VALUE;
			if (number < 1 || number > capacity) {
				throw new RateLimitConfigurationException(
						"%s can never pass: tokens must be from 1 to the capacity of the rate limit '%s', which is %d"
							.formatted(tokens.description(), route.bucket(), capacity),
						"Take fewer tokens, or raise the capacity.");
			}
		}
		return route;
	}

	private static Route checkMaxWait(Route route) {
		if (route.maxWait() != null && route.maxWait().isNegative()) {
			throw new RateLimitConfigurationException(
					"%s is negative".formatted(route.describe("max-wait", route.maxWait())), "Write zero or more: 2s.");
		}
		return route;
	}

	private static <T> @Nullable T collect(List<Fault> faults, Supplier<T> part) {
		try {
			return part.get();
		}
		catch (RateLimitConfigurationException ex) {
			faults.addAll(ex.getFaults());
			return null;
		}
	}

}
