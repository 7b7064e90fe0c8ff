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
	 * Returns whether the expression asks for the name of the caller.
	 */
	default boolean asksForPrincipal() {
		return false;
	}

}
