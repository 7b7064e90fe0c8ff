package dev.ratelimit.web;

import java.time.Duration;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitDecision;

/**
 * A decision in the numbers of HTTP fields, each of at most 15 digits.
 *
 * @param name name of the limit
 * @param quota most tokens the bucket holds
 * @param window seconds in which an empty bucket fills
 * @param remaining tokens it holds
 * @param reset of an accepted request, seconds in which what remains comes anew; of a
 * refused one, seconds until it would pass
 * @param accepted whether the request passed
 * @param mayPass whether it did, or may do so later
 */
record QuotaUnits(String name, long quota, long window, long remaining, long reset, boolean accepted, boolean mayPass) {

	/**
	 * The parameters, which drafts have renamed before.
	 */
	private static final String QUOTA = ";q=";

	private static final String WINDOW = ";w=";

	private static final String REMAINING = ";r=";

	private static final String RESET = ";t=";

	static QuotaUnits of(RateLimitDecision decision) {
		RateLimit limit = decision.limit();
		long available = Math.max(0, decision.availableTokens());
		Duration retryAfter = decision.retryAfter();
		long reset = (retryAfter != null) ? DelaySeconds.of(retryAfter) : DelaySeconds.toRefill(available, limit);
		return new QuotaUnits(decision.bucketName(), Math.min(limit.capacity(), DelaySeconds.MAX),
				DelaySeconds.toRefill(limit.capacity(), limit), Math.min(available, DelaySeconds.MAX), reset,
				decision.accepted(), decision.accepted() || retryAfter != null);
	}

	/**
	 * Returns the item of the field {@code RateLimit-Policy}.
	 */
	String policyItem() {
		return StructuredString.quote(this.name) + QUOTA + this.quota + WINDOW + this.window;
	}

	/**
	 * Returns the item of the field {@code RateLimit}.
	 */
	String limitItem() {
		String item = StructuredString.quote(this.name) + REMAINING + this.remaining;
		return this.mayPass ? item + RESET + this.reset : item;
	}

}
