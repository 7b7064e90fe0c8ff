package dev.ratelimit.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.core.RateLimitDecision;
import dev.ratelimit.core.RateLimitExceededException;

/**
 * What limits decided on the calls of one request: the latest decision of each, in order
 * of their first; those that refused last. May be used by several threads at once.
 */
public final class RequestDecisions {

	private final Map<String, RateLimitDecision> latest = new LinkedHashMap<>();

	/**
	 * Takes note of a decision.
	 * @param decision what a limit decided
	 */
	public synchronized void add(RateLimitDecision decision) {
		if (!decision.accepted()) {
			this.latest.remove(decision.bucketName());
		}
		this.latest.put(decision.bucketName(), decision);
	}

	/**
	 * Takes note of the failure that ends the request. A refusal becomes the last
	 * decision; after any other failure nothing is claimed about a quota.
	 * @param failure the failure of a limit
	 */
	public synchronized void endWith(RuntimeException failure) {
		if (failure instanceof RateLimitExceededException refusal) {
			add(new RateLimitDecision(refusal.getBucketName(), refusal.getLimit(), refusal.getAvailableTokens(), false,
					refusal.getRetryAfter()));
		}
		else {
			this.latest.clear();
		}
	}

	/**
	 * Returns the decisions.
	 * @return a copy
	 */
	public synchronized List<RateLimitDecision> list() {
		return List.copyOf(this.latest.values());
	}

}
