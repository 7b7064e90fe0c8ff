package dev.ratelimit.core;

import java.util.ArrayList;
import java.util.List;

/**
 * {@link CallContext} of a caller of whom nothing is known, which keeps the decisions.
 */
final class DecisionNotes implements CallContext {

	private final List<RateLimitDecision> decisions = new ArrayList<>();

	List<RateLimitDecision> decisions() {
		return this.decisions;
	}

	@Override
	public String clientIp() {
		return null;
	}

	@Override
	public String principal() {
		return null;
	}

	@Override
	public String header(String name) {
		return null;
	}

	@Override
	public void decided(RateLimitDecision decision) {
		this.decisions.add(decision);
	}

}
