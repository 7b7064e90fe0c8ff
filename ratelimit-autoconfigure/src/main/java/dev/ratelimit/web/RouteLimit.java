package dev.ratelimit.web;

import java.util.List;
import java.util.Set;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitRequest;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.expression.ExpressionValues;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.BeanResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPattern.PathMatchInfo;

/**
 * A limit on requests, ready to be asked.
 *
 * @param route what is configured
 * @param pattern pattern of the paths that it limits
 * @param methods names of the HTTP methods that it limits; empty: all
 * @param limiter the limit
 * @param key whose bucket is asked; {@code null}: the unkeyed one
 * @param tokens how many tokens a request takes
 * @param condition when the limit applies; {@code null}: always
 * @param beanResolver finds the beans that expressions name
 */
record RouteLimit(Route route, PathPattern pattern, Set<String> methods, RateLimiter limiter,
		@Nullable RouteExpression key, RouteExpression tokens, @Nullable RouteExpression condition,
		BeanResolver beanResolver) {

	/**
	 * Matches a request.
	 * @return the match, or {@code null} if this route does not limit it
	 */
	@Nullable RouteMatch match(String method, List<PathContainer> paths) {
		if (!this.methods.isEmpty() && !this.methods.contains(method)) {
			return null;
		}
		for (PathContainer path : paths) {
			PathMatchInfo info = this.pattern.matchAndExtract(path);
			if (info != null) {
				return new RouteMatch(this, info.getUriVariables());
			}
		}
		return null;
	}

	boolean asksForPrincipal() {
		return RouteExpression.asksForPrincipal(this.key) || RouteExpression.asksForPrincipal(this.tokens)
				|| RouteExpression.asksForPrincipal(this.condition);
	}

	@Nullable RateLimitRequest request(RouteMatch match, CallContext caller) {
		StandardEvaluationContext context = new StandardEvaluationContext(new RouteCall(caller));
		context.setBeanResolver(this.beanResolver);
		match.variables().forEach(context::setVariable);
		if (this.condition != null
				&& !ExpressionValues.condition(this.condition.evaluate(context), this.condition.description())) {
			return null;
		}
		String evaluatedKey = (this.key != null)
				? ExpressionValues.key(this.key.evaluate(context), this.key.description()) : null;
		long evaluatedTokens = ExpressionValues.tokens(this.tokens.evaluate(context), this.tokens.description());
		return new RateLimitRequest(this.limiter, evaluatedKey, evaluatedTokens,
				this.limiter.settings().maxWaitNanos(this.route.mode(), this.route.maxWait()));
	}

}
