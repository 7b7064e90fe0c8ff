package dev.ratelimit.aspect;

import java.util.stream.Stream;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimitRequest;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.expression.ExpressionValues;
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

	private final String keyDescription;

	private final String tokensDescription;

	private final String conditionDescription;

	private final boolean asksForPrincipal;

	private final MissingCallerWarning missingCallerWarning = new MissingCallerWarning();

	private final boolean constant;

	private volatile @Nullable Limit limit;

	private volatile @Nullable RateLimitRequest constantRequest;

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
		this.keyDescription = operation.describe("key", operation.key());
		this.tokensDescription = operation.describe("tokens", operation.tokens());
		this.conditionDescription = operation.describe("condition", operation.condition());
		this.constant = key == null && condition == null
				&& (tokens == null || tokens instanceof CallExpression.Constant);
		this.asksForPrincipal = Stream.of(key, tokens, condition)
			.anyMatch((expression) -> expression != null && expression.asksForPrincipal());
	}

	RateLimitedOperation operation() {
		return this.operation;
	}

	/**
	 * Returns whether an expression asks for the name of the caller.
	 */
	boolean asksForPrincipal() {
		return this.asksForPrincipal;
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
		if (this.condition != null
				&& !ExpressionValues.condition(this.condition.evaluate(invocation), this.conditionDescription)) {
			return null;
		}
		Limit limit = limit();
		String evaluatedKey = (this.key != null)
				? ExpressionValues.key(this.key.evaluate(invocation), this.keyDescription) : null;
		long evaluatedTokens = (this.tokens != null)
				? ExpressionValues.tokens(this.tokens.evaluate(invocation), this.tokensDescription) : 1;
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
		return (this.tokens instanceof CallExpression.Constant constant)
				? ExpressionValues.constantTokens(constant.value(), this.tokensDescription) : null;
	}

	/**
	 * Checks that a condition which is the same for every call is a truth value.
	 * @throws RateLimitConfigurationException if it is not
	 */
	void checkConstantCondition() {
		if (this.condition instanceof CallExpression.Constant constant) {
			ExpressionValues.constantCondition(constant.value(), this.conditionDescription);
		}
	}

	/**
	 * Returns what every invocation asks, or {@code null} if they ask different things.
	 */
	@Nullable RateLimitRequest constantRequest() {
		RateLimitRequest request = this.constantRequest;
		if (request == null && this.constant) {
			Object number = (this.tokens instanceof CallExpression.Constant written) ? written.value() : 1;
			request = new RateLimitRequest(limiter(), null, ExpressionValues.tokens(number, this.tokensDescription),
					limit().maxWaitNanos());
			this.constantRequest = request;
		}
		return request;
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

	private record Limit(RateLimiter limiter, long maxWaitNanos) {

	}

}
