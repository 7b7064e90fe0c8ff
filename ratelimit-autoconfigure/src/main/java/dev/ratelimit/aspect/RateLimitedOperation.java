package dev.ratelimit.aspect;

import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.core.DeclaredLimit;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import dev.ratelimit.core.RateLimitMode;
import org.jspecify.annotations.Nullable;

/**
 * One {@link dev.ratelimit.annotation.RateLimited} annotation, read.
 *
 * @param element the method or class on which it stands
 * @param limit what it says about the limit
 * @param mode what a call does when there are too few tokens
 * @param maxWait the longest wait; {@code null}: not said
 * @param key expression of the key, possibly empty
 * @param tokens expression of the number of tokens
 * @param condition expression of the condition, possibly empty
 * @param fallback name of the fallback method, possibly empty
 * @param faults what cannot be understood of it, possibly nothing
 */
record RateLimitedOperation(AnnotatedElement element, DeclaredLimit limit, RateLimitMode mode,
		@Nullable Duration maxWait, String key, String tokens, String condition, String fallback, List<Fault> faults) {

	/**
	 * Returns whether an expression may ask for the arguments of a call.
	 */
	boolean hasExpressions() {
		return (key() + tokens() + condition()).contains("#");
	}

	/**
	 * Describes an attribute for messages.
	 */
	String describe(String attribute, String written) {
		return "@RateLimited(%s = \"%s\") on %s".formatted(attribute, written, limit().place());
	}

}
