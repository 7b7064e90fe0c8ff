package dev.ratelimit.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Grants in order of their instants, held against the bound on every window of time.
 */
final class GrantLog {

	private final ExactTokenBucket exact;

	private final List<Grant> grants = new ArrayList<>();

	GrantLog(ExactTokenBucket exact) {
		this.exact = exact;
	}

	/**
	 * Adds a grant, not earlier than the last one.
	 * @return the grant
	 * @throws AssertionError if a window that ends with it holds too many tokens
	 */
	Grant add(long instant, long tokens) {
		Grant grant = new Grant(instant, tokens);
		this.grants.add(grant);
		long sum = 0;
		for (int i = this.grants.size() - 1; i >= 0; i--) {
			Grant first = this.grants.get(i);
			sum = Math.addExact(sum, first.tokens);
			if (!this.exact.mayGrantWithin(instant - first.instant, sum)) {
				throw new AssertionError("%d tokens within %dns: too many".formatted(sum, instant - first.instant));
			}
		}
		return grant;
	}

	/**
	 * Removes a grant that was cancelled.
	 */
	void remove(Grant grant) {
		this.grants.remove(grant);
	}

	/**
	 * Tokens granted at an instant.
	 */
	static final class Grant {

		private final long instant;

		private final long tokens;

		private Grant(long instant, long tokens) {
			this.instant = instant;
			this.tokens = tokens;
		}

	}

}
