package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.expression.ExpressionBeans;
import dev.ratelimit.expression.ExpressionScope;
import dev.ratelimit.expression.LimitExpression;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * Parses the expressions of annotations. A plain {@code #argument} needs no SpEL.
 */
final class CallExpressionParser {

	private static final Pattern PLAIN_ARGUMENT = Pattern.compile("#([\\p{L}_$][\\p{L}\\p{N}_$]*)");

	private final ParameterNameDiscoverer parameterNames = new DefaultParameterNameDiscoverer();

	private final ExpressionBeans beans;

	/**
	 * Creates a parser.
	 * @param beans the beans that expressions name
	 */
	CallExpressionParser(ExpressionBeans beans) {
		this.beans = beans;
	}

	/**
	 * Parses an expression.
	 * @param method the method whose arguments the expression sees
	 * @param caller checks that the expression may ask who is calling
	 * @throws RateLimitConfigurationException if it cannot be parsed, or names what is
	 * not there
	 */
	CallExpression parse(RateLimitedOperation operation, String attribute, String written, Method method,
			CallerCheck caller) {
		Method naming = (operation.element() instanceof Method annotated) ? annotated : method;
		List<String> parameters = parameters(naming);
		Matcher plain = PLAIN_ARGUMENT.matcher(written.strip());
		int argument = plain.matches() ? indexOf(plain.group(1), parameters) : -1;
		if (argument >= 0) {
			return (invocation) -> invocation.getArgs()[argument];
		}
		String description = operation.describe(attribute, written);
		LimitExpression expression = LimitExpression.parse(written, description,
				ExpressionScope.ofMethod(parameters, this.beans));
		if (expression.asksForCaller()) {
			caller.check(description);
		}
		return expression.isConstant() ? new CallExpression.Constant(expression.constant())
				: new SpelCallExpression(expression, naming, this.parameterNames, this.beans.resolver());
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
