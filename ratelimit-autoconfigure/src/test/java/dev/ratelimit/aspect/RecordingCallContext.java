package dev.ratelimit.aspect;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitDecision;

/**
 * A request from an address.
 */
record RecordingCallContext(String clientIp, List<RateLimitDecision> decisions) implements CallContext {

	RecordingCallContext(String clientIp) {
		this(clientIp, new CopyOnWriteArrayList<>());
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
