package dev.ratelimit.aspect;

import java.lang.reflect.Method;

import dev.ratelimit.expression.LimitExpression;
import org.jspecify.annotations.Nullable;

import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.BeanResolver;

/**
 * An expression that SpEL evaluates.
 *
 * @param expression the expression
 * @param naming the method whose parameters have the names that the expression uses
 * @param parameterNames finds those names
 * @param beanResolver finds the beans that the expression names
 */
record SpelCallExpression(LimitExpression expression, Method naming, ParameterNameDiscoverer parameterNames,
		BeanResolver beanResolver) implements CallExpression {

	@Override
	public @Nullable Object evaluate(LimitedInvocation invocation) {
		MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(invocation, this.naming,
				invocation.getArgs(), this.parameterNames);
		context.setBeanResolver(this.beanResolver);
		return this.expression.evaluate(context);
	}

	@Override
	public boolean asksForPrincipal() {
		return this.expression.asksForPrincipal();
	}

}
