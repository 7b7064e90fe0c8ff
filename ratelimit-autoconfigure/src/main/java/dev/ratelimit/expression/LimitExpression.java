package dev.ratelimit.expression;

import dev.ratelimit.core.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * An expression in Spring's expression language, parsed and checked once.
 */
public final class LimitExpression {

	private static final SpelExpressionParser parser = new SpelExpressionParser();

	private final SpelExpression expression;

	private final String description;

	private final boolean asksForCaller;

	private final boolean asksForPrincipal;

	private LimitExpression(SpelExpression expression, String description, ExpressionNames names) {
		this.expression = expression;
		this.description = description;
		this.asksForCaller = names.askForCaller();
		this.asksForPrincipal = names.askForPrincipal();
	}

	/**
	 * Parses an expression.
	 * @param written the expression
	 * @param description where it is written, for messages
	 * @param scope what it sees
	 * @return the expression
	 * @throws RateLimitConfigurationException if it cannot be parsed, or names what is
	 * not there
	 */
	public static LimitExpression parse(String written, String description, ExpressionScope scope) {
		SpelExpression expression = parse(written, description);
		ExpressionNames names = ExpressionNames.of(expression, scope);
		names.fault().ifPresent((fault) -> {
			throw new RateLimitConfigurationException("%s %s".formatted(description, fault.problem()), fault.remedy());
		});
		return new LimitExpression(expression, description, names);
	}

	private static SpelExpression parse(String written, String description) {
		try {
			return parser.parseRaw(written);
		}
		catch (ParseException | IllegalStateException ex) {
			throw new RateLimitConfigurationException(
					"%s is not a SpEL expression: %s".formatted(description, ex.getMessage()),
					"Correct the expression.");
		}
	}

	/**
	 * Returns whether the expression asks who is calling.
	 * @return {@code true} if it names {@code clientIp}, {@code principal} or
	 * {@code header}
	 */
	public boolean asksForCaller() {
		return this.asksForCaller;
	}

	/**
	 * Returns whether the expression asks for the name of the caller, or hands on the
	 * root that knows it.
	 * @return {@code true} if the name must be known
	 */
	public boolean asksForPrincipal() {
		return this.asksForPrincipal;
	}

	/**
	 * Returns whether the expression has the same value for every call.
	 * @return {@code true} if it consists of nothing but literals and operators
	 */
	public boolean isConstant() {
		return isConstant(this.expression.getAST());
	}

	private static boolean isConstant(SpelNode node) {
		boolean constant = node instanceof Literal || node instanceof Operator;
		for (int i = 0; constant && i < node.getChildCount(); i++) {
			constant = isConstant(node.getChild(i));
		}
		return constant;
	}

	/**
	 * Returns the value of a constant expression.
	 * @return the value
	 * @throws RateLimitConfigurationException if it has none
	 */
	public @Nullable Object constant() {
		try {
			return this.expression.getValue();
		}
		catch (EvaluationException ex) {
			throw new RateLimitConfigurationException(
					"%s has no value: %s".formatted(this.description, ex.getMessage()), "Correct the expression.");
		}
	}

	/**
	 * Evaluates the expression.
	 * @param context the values of what it sees
	 * @return its value
	 * @throws IllegalStateException if it has none
	 */
	public @Nullable Object evaluate(EvaluationContext context) {
		try {
			return this.expression.getValue(context);
		}
		catch (EvaluationException ex) {
			throw new IllegalStateException(this.description + " failed: " + ex.getMessage(), ex);
		}
	}

}
