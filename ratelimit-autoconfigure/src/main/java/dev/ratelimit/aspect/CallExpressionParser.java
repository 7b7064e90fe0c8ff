package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Parses the expressions of annotations. A plain {@code #argument} needs no SpEL.
 */
final class CallExpressionParser {

	private static final Pattern PLAIN_ARGUMENT = Pattern.compile("#([\\p{L}_$][\\p{L}\\p{N}_$]*)");

	private final ParameterNameDiscoverer parameterNames = new DefaultParameterNameDiscoverer();

	private final SpelExpressionParser parser = new SpelExpressionParser();

	private final BeanResolver beanResolver;

	private final boolean callerKnown;

	/**
	 * Creates a parser.
	 * @param beanResolver finds the beans that expressions name
	 * @param callerKnown whether there is anything to ask who is calling
	 */
	CallExpressionParser(BeanResolver beanResolver, boolean callerKnown) {
		this.beanResolver = beanResolver;
		this.callerKnown = callerKnown;
	}

	/**
	 * Parses an expression.
	 * @param method the method whose arguments the expression sees
	 * @throws RateLimitConfigurationException if it cannot be parsed, or names what is
	 * not there
	 */
	CallExpression parse(RateLimitedOperation operation, String attribute, String written, Method method) {
		Method naming = (operation.element() instanceof Method annotated) ? annotated : method;
		List<String> parameters = parameters(naming);
		Matcher plain = PLAIN_ARGUMENT.matcher(written.strip());
		int argument = plain.matches() ? indexOf(plain.group(1), parameters) : -1;
		if (argument >= 0) {
			return (invocation) -> invocation.getArgs()[argument];
		}
		SpelExpression expression = parse(operation, attribute, written);
		ExpressionNames.check(expression, parameters).ifPresent((problem) -> {
			throw new RateLimitConfigurationException(
					"%s %s".formatted(operation.describe(attribute, written), problem.problem()), problem.remedy());
		});
		if (!this.callerKnown && ExpressionNames.asksForCaller(expression, parameters)) {
			throw new RateLimitConfigurationException(
					"%s asks who is calling, which nothing here can tell: all callers would share one bucket"
						.formatted(operation.describe(attribute, written)),
					"Take the caller from an argument (\"#userId\"), or provide a bean of type %s."
						.formatted(CallContext.Source.class.getCanonicalName()));
		}
		if (isConstant(expression.getAST())) {
			return new CallExpression.Constant(constant(operation, attribute, expression));
		}
		return (invocation) -> {
			MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(invocation, naming,
					invocation.getArgs(), this.parameterNames);
			context.setBeanResolver(this.beanResolver);
			return evaluate(operation, attribute, expression, context);
		};
	}

	private SpelExpression parse(RateLimitedOperation operation, String attribute, String written) {
		try {
			return this.parser.parseRaw(written);
		}
		catch (ParseException | IllegalStateException ex) {
			throw new RateLimitConfigurationException("%s is not a SpEL expression: %s"
				.formatted(operation.describe(attribute, written), ex.getMessage()), "Correct the expression.");
		}
	}

	private static boolean isConstant(SpelNode node) {
		boolean constant = node instanceof Literal || node instanceof Operator;
		for (int i = 0; constant && i < node.getChildCount(); i++) {
			constant = isConstant(node.getChild(i));
		}
		return constant;
	}

	private static @Nullable Object constant(RateLimitedOperation operation, String attribute,
			SpelExpression expression) {
		try {
			return expression.getValue();
		}
		catch (EvaluationException ex) {
			throw new RateLimitConfigurationException("%s has no value: %s"
				.formatted(operation.describe(attribute, expression.getExpressionString()), ex.getMessage()),
					"Correct the expression.");
		}
	}

	private static @Nullable Object evaluate(RateLimitedOperation operation, String attribute,
			SpelExpression expression, MethodBasedEvaluationContext context) {
		try {
			return expression.getValue(context);
		}
		catch (EvaluationException ex) {
			throw new IllegalStateException(
					operation.describe(attribute, expression.getExpressionString()) + " failed: " + ex.getMessage(),
					ex);
		}
	}

	private List<String> parameters(Method method) {
		String[] names = this.parameterNames.getParameterNames(method);
		return (names != null) ? Arrays.asList(names)
				: Arrays.stream(method.getParameters()).map((parameter) -> "").toList();
	}

	private static int indexOf(String name, List<String> parameters) {
		int index = parameters.indexOf(name);
		for (int i = 0; index < 0 && i < parameters.size(); i++) {
			index = (name.equals("p" + i) || name.equals("a" + i)) ? i : -1;
		}
		return index;
	}

}
