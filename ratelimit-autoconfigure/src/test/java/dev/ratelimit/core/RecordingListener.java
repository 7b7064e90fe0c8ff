package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Writes down what limits report: {@code "orders rejected 1"}.
 */
public final class RecordingListener implements RateLimitListener {

	private final List<String> reports = new CopyOnWriteArrayList<>();

	/**
	 * Returns what was reported since it was last asked.
	 */
	public List<String> reports() {
		List<String> since = List.copyOf(this.reports);
		this.reports.clear();
		return since;
	}

	@Override
	public void allowed(RateLimiter limiter, String key, long tokens) {
		add(limiter, key, "allowed", tokens);
	}

	@Override
	public void waited(RateLimiter limiter, String key, long tokens, Duration waited) {
		add(limiter, key, "waited " + waited, tokens);
	}

	@Override
	public void rejected(RateLimiter limiter, String key, long tokens) {
		add(limiter, key, "rejected", tokens);
	}

	@Override
	public void cancelled(RateLimiter limiter, String key, long tokens) {
		add(limiter, key, "cancelled", tokens);
	}

	@Override
	public void exempt(RateLimiter limiter, String key, long tokens) {
		add(limiter, key, "exempt", tokens);
	}

	@Override
	public void shadowed(RateLimiter limiter, String key, long tokens) {
		add(limiter, key, "shadowed", tokens);
	}

	private void add(RateLimiter limiter, String key, String outcome, long tokens) {
		this.reports.add(limiter.name() + ((key != null) ? "[" + key + "] " : " ") + outcome + " " + tokens);
	}

}
