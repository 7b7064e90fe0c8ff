package dev.ratelimit.web;

import dev.ratelimit.expression.LimitExpression;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationContext;

/**
 * An expression of a route.
 *
 * @param expression the expression
 * @param description where it is written, for messages
 */
record RouteExpression(LimitExpression expression, String description) {

	@Nullable Object evaluate(EvaluationContext context) {
		return this.expression.evaluate(context);
	}

	static boolean asksForPrincipal(@Nullable RouteExpression expression) {
		return expression != null && expression.expression().asksForPrincipal();
	}

}
