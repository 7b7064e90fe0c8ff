package dev.ratelimit.aspect;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimitRequest;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * One limit of one method, ready to be asked. Its limiter is looked up at the first call,
 * when all that is said about the limit is known.
 */
final class RateLimitedCall {

	private final RateLimitedOperation operation;

	private final RateLimiterRegistry registry;

	private final @Nullable CallExpression key;

	private final @Nullable CallExpression tokens;

	private final @Nullable CallExpression condition;

	private final @Nullable FallbackMethod fallback;

	private final MissingCallerWarning missingCallerWarning = new MissingCallerWarning();

	private volatile @Nullable Limit limit;

	/**
	 * Creates a call.
	 * @param operation the annotation
	 * @param registry holds the limiter
	 * @param key whose bucket is asked; {@code null}: the unkeyed one
	 * @param tokens how many tokens a call takes; {@code null}: one
	 * @param condition when the limit applies; {@code null}: always
	 * @param fallback what is called when the limit refuses; {@code null}: nothing
	 */
	RateLimitedCall(RateLimitedOperation operation, RateLimiterRegistry registry, @Nullable CallExpression key,
			@Nullable CallExpression tokens, @Nullable CallExpression condition, @Nullable FallbackMethod fallback) {
		this.operation = operation;
		this.registry = registry;
		this.key = key;
		this.tokens = tokens;
		this.condition = condition;
		this.fallback = fallback;
	}

	RateLimitedOperation operation() {
		return this.operation;
	}

	@Nullable FallbackMethod fallback() {
		return this.fallback;
	}

	RateLimiter limiter() {
		return limit().limiter();
	}

	/**
	 * Returns whether calls may wait without any bound.
	 */
	boolean isUnbounded() {
		return limit().maxWaitNanos() == Long.MAX_VALUE && limiter().settings().maxWaiters() == null;
	}

	/**
	 * Returns the mode in force.
	 */
	RateLimitMode mode() {
		RateLimitMode configured = limiter().settings().mode();
		return (configured != null) ? configured : this.operation.mode();
	}

	/**
	 * Returns what an invocation asks of the limit, or {@code null} if the limit does not
	 * apply to it.
	 */
	@Nullable RateLimitRequest request(LimitedInvocation invocation) {
		RateLimitRequest request = evaluate(invocation);
		if (invocation.hasMissedCaller()) {
			this.missingCallerWarning.giveOnce(this.operation);
		}
		return request;
	}

	private @Nullable RateLimitRequest evaluate(LimitedInvocation invocation) {
		if (this.condition != null && !applies(this.condition.evaluate(invocation))) {
			return null;
		}
		Limit limit = limit();
		String evaluatedKey = (this.key != null) ? KeyText.of(this.key.evaluate(invocation), this.operation) : null;
		long evaluatedTokens = (this.tokens != null) ? number(this.tokens.evaluate(invocation)) : 1;
		return new RateLimitRequest(limit.limiter(), evaluatedKey, evaluatedTokens, limit.maxWaitNanos());
	}

	/**
	 * Returns the number of tokens that every call takes, or {@code null} if calls take
	 * different numbers.
	 * @throws RateLimitConfigurationException if it is no whole number
	 */
	@Nullable Long constantTokens() {
		if (this.tokens == null) {
			return 1L;
		}
		if (!(this.tokens instanceof CallExpression.Constant constant)) {
			return null;
		}
		if (constant.value() instanceof Number number && number.doubleValue() == number.longValue()) {
			return number.longValue();
		}
		throw new RateLimitConfigurationException(
				"%s must be a whole number, but is %s"
					.formatted(this.operation.describe("tokens", this.operation.tokens()), constant.value()),
				"Write a whole number of one or more, or an expression that gives one.");
	}

	/**
	 * Checks that a condition which is the same for every call is a truth value.
	 * @throws RateLimitConfigurationException if it is not
	 */
	void checkConstantCondition() {
		if (this.condition instanceof CallExpression.Constant constant && !(constant.value() instanceof Boolean)) {
			throw new RateLimitConfigurationException(
					"%s must be true or false, but is %s"
						.formatted(this.operation.describe("condition", this.operation.condition()), constant.value()),
					"Write an expression that is true where the limit applies.");
		}
	}

	private Limit limit() {
		Limit limit = this.limit;
		if (limit == null) {
			RateLimiter limiter = this.registry.get(this.operation.limit().name());
			limit = new Limit(limiter,
					limiter.settings().maxWaitNanos(this.operation.mode(), this.operation.maxWait()));
			this.limit = limit;
		}
		return limit;
	}

	private boolean applies(@Nullable Object value) {
		if (value instanceof Boolean truth) {
			return truth;
		}
		throw new IllegalStateException("%s must be true or false, but was %s"
			.formatted(this.operation.describe("condition", this.operation.condition()), value));
	}

	private long number(@Nullable Object value) {
		if (value instanceof Number number && number.doubleValue() >= 1 && Double.isFinite(number.doubleValue())
				&& number.doubleValue() == Math.rint(number.doubleValue())) {
			return (number.doubleValue() < Long.MAX_VALUE) ? number.longValue() : Long.MAX_VALUE;
		}
		throw new IllegalStateException("%s must be a whole number of one or more, but was %s"
			.formatted(this.operation.describe("tokens", this.operation.tokens()), value));
	}

	private record Limit(RateLimiter limiter, long maxWaitNanos) {

	}

}
