package dev.ratelimit.aspect;

import org.jspecify.annotations.Nullable;

/**
 * An expression of an annotation, parsed once.
 */
@FunctionalInterface
interface CallExpression {

	/**
	 * Evaluates the expression for a call.
	 */
	@Nullable Object evaluate(LimitedInvocation invocation);

	/**
	 * An expression that has the same value for every call.
	 *
	 * @param value the value
	 */
	record Constant(@Nullable Object value) implements CallExpression {

		@Override
		public @Nullable Object evaluate(LimitedInvocation invocation) {
			return this.value;
		}

	}

}
