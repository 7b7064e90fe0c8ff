package dev.ratelimit.sample.page;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * The gates of the page: listens to what limits decide, and asks the registry for the
 * rest.
 */
@Component
final class Gates implements RateLimitListener {

	private final ObjectProvider<RateLimiterRegistry> registry;

	private final FiveAtATime semaphore;

	private final Map<String, CallCount> calls = new ConcurrentHashMap<>();

	Gates(ObjectProvider<RateLimiterRegistry> registry, FiveAtATime semaphore) {
		this.registry = registry;
		this.semaphore = semaphore;
	}

	@Override
	public RateLimitListener forLimiter(RateLimiter limiter) {
		return calls(limiter);
	}

	/**
	 * Returns what there is to see now, by the name of the gate.
	 */
	Map<String, GateState> states() {
		return Map.of("reject", state("reject"), "wait", state("wait"), "semaphore", this.semaphore.state());
	}

	private GateState state(String name) {
		RateLimiter limiter = this.registry.getObject().get(name);
		RateLimit limit = limiter.settings().limit();
		return calls(limiter).state(limiter.lastSeenTokens(), limit.capacity(), limit, limiter.waiters());
	}

	private CallCount calls(RateLimiter limiter) {
		return this.calls.computeIfAbsent(limiter.name(), (absent) -> new CallCount());
	}

}
