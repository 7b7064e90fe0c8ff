package dev.ratelimit.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Writes down what limits report.
 */
final class DecisionJournal implements RateLimitListener {

	private final List<String> entries = Collections.synchronizedList(new ArrayList<>());

	List<String> entries() {
		return List.copyOf(this.entries);
	}

	@Override
	public void allowed(RateLimiter limiter, @Nullable String key, long tokens) {
		add(limiter, key, "allowed " + tokens);
	}

	@Override
	public void waited(RateLimiter limiter, @Nullable String key, long tokens, Duration waited) {
		add(limiter, key, "allowed " + tokens + " after " + waited.toMillis() + "ms");
	}

	@Override
	public void rejected(RateLimiter limiter, @Nullable String key, long tokens) {
		add(limiter, key, "rejected " + tokens);
	}

	@Override
	public void cancelled(RateLimiter limiter, @Nullable String key, long tokens) {
		add(limiter, key, "cancelled " + tokens);
	}

	@Override
	public void exempt(RateLimiter limiter, @Nullable String key, long tokens) {
		add(limiter, key, "exempt " + tokens);
	}

	private void add(RateLimiter limiter, @Nullable String key, String decision) {
		this.entries.add("%s%s: %s".formatted(limiter.name(), (key != null) ? "[" + key + "]" : "", decision));
	}

}
