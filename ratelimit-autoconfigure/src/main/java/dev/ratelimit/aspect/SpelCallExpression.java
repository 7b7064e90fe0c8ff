package dev.ratelimit.aspect;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * An expression that SpEL evaluates.
 *
 * @param expression the expression
 * @param asksForPrincipal whether it asks for the name of the caller
 * @param description where it is written, for messages
 * @param naming the method whose parameters have the names that the expression uses
 * @param parameterNames finds those names
 * @param beanResolver finds the beans that the expression names
 */
record SpelCallExpression(SpelExpression expression, boolean asksForPrincipal, String description, Method naming,
		ParameterNameDiscoverer parameterNames, BeanResolver beanResolver) implements CallExpression {

	@Override
	public @Nullable Object evaluate(LimitedInvocation invocation) {
		MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(invocation, this.naming,
				invocation.getArgs(), this.parameterNames);
		context.setBeanResolver(this.beanResolver);
		try {
			return this.expression.getValue(context);
		}
		catch (EvaluationException ex) {
			throw new IllegalStateException(this.description + " failed: " + ex.getMessage(), ex);
		}
	}

}
