package dev.ratelimit.expression;

import dev.ratelimit.core.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of expressions.
 */
public final class ExpressionValues {

	private ExpressionValues() {
	}

	/**
	 * Reads a key as text. The elements of a list, an array or a map are told apart,
	 * whatever they hold.
	 * @param value the value
	 * @param description where the expression is written, for messages
	 * @return the text, or {@code null} if there is no key
	 * @throws IllegalStateException if each object of its kind has a text of its own, so
	 * that each call would have a bucket of its own
	 */
	public static @Nullable String key(@Nullable Object value, String description) {
		return KeyText.of(value, description);
	}

	/**
	 * Reads a number of tokens.
	 * @param value the value
	 * @param description where the expression is written, for messages
	 * @return one or more
	 * @throws IllegalStateException if it is no whole number of one or more
	 */
	public static long tokens(@Nullable Object value, String description) {
		if (value instanceof Number number && number.doubleValue() >= 1 && Double.isFinite(number.doubleValue())
				&& number.doubleValue() == Math.rint(number.doubleValue())) {
			return (number.doubleValue() < Long.MAX_VALUE) ? number.longValue() : Long.MAX_VALUE;
		}
		throw new IllegalStateException(
				"%s must be a whole number of one or more, but was %s".formatted(description, value));
	}

	/**
	 * Reads a number of tokens that is the same for every call.
	 * @param value the value
	 * @param description where the expression is written, for messages
	 * @return the number, which may be less than one
	 * @throws RateLimitConfigurationException if it is no whole number
	 */
	public static long constantTokens(@Nullable Object value, String description) {
		if (value instanceof Number number && number.doubleValue() == number.longValue()) {
			return number.longValue();
		}
		throw new RateLimitConfigurationException("%s must be a whole number, but is %s".formatted(description, value),
				"Write a whole number of one or more, or an expression that gives one.");
	}

	/**
	 * Reads a condition.
	 * @param value the value
	 * @param description where the expression is written, for messages
	 * @return whether it holds
	 * @throws IllegalStateException if it is neither true nor false
	 */
	public static boolean condition(@Nullable Object value, String description) {
		if (value instanceof Boolean truth) {
			return truth;
		}
		throw new IllegalStateException("%s must be true or false, but was %s".formatted(description, value));
	}

	/**
	 * Reads a condition that is the same for every call.
	 * @param value the value
	 * @param description where the expression is written, for messages
	 * @return whether it holds
	 * @throws RateLimitConfigurationException if it is neither true nor false
	 */
	public static boolean constantCondition(@Nullable Object value, String description) {
		if (value instanceof Boolean truth) {
			return truth;
		}
		throw new RateLimitConfigurationException("%s must be true or false, but is %s".formatted(description, value),
				"Write an expression that is true where the limit applies.");
	}

}
