package dev.ratelimit.aspect;

import java.lang.reflect.Method;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the request of a call can be found, where a limit asks who is calling.
 *
 * @param source finds requests; {@code null}: nothing does
 * @param method the limited method
 * @param subscribed whether the method is called on behalf of a subscriber, which knows
 * its request
 */
record CallerCheck(CallContext.@Nullable Source source, Method method, boolean subscribed) {

	/**
	 * Checks an expression that asks who is calling.
	 * @param expression where it is written
	 * @throws RateLimitConfigurationException if nothing can tell
	 */
	void check(String expression) {
		if (this.source == null) {
			throw new RateLimitConfigurationException(
					"%s asks who is calling, which nothing here can tell: all callers would share one bucket"
						.formatted(expression),
					"Take the caller from an argument (\"#userId\"), or provide a bean of type %s."
						.formatted(CallContext.Source.class.getCanonicalName()));
		}
		String lacking = this.subscribed ? null : this.source.lackingIn(this.method);
		if (lacking != null) {
			throw new RateLimitConfigurationException(
					"%s asks who is calling, which %s.%s cannot tell: all callers would share one bucket"
						.formatted(expression, this.method.getDeclaringClass().getName(), this.method.getName()),
					"Let the method return a reactive type or be a suspending function, give it %s, or take the caller from an argument (\"#userId\")."
						.formatted(lacking));
		}
	}

}
