package dev.ratelimit.benchmarks.call;

import dev.ratelimit.annotation.RateLimited;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import org.jspecify.annotations.Nullable;

/**
 * One method under every kind of advice. None of those called to pass is ever refused.
 */
public class CalledService {

	static final double PLENTY = 1_000_000_000;

	/**
	 * Advised by nobody.
	 */
	public int plain(String userId) {
		return userId.length();
	}

	/**
	 * Advised by {@link NoOpAdvice}.
	 */
	public int advised(String userId) {
		return userId.length();
	}

	@RateLimited(name = "unkeyed", rate = PLENTY)
	public int unkeyed(String userId) {
		return userId.length();
	}

	/**
	 * Limited for each user, with buckets that stay in memory because they take long to
	 * fill.
	 */
	@RateLimited(name = "keyed", rate = 10_000_000, per = "1d", capacity = 10_000_000_000L, key = "#userId")
	public int keyed(String userId) {
		return userId.length();
	}

	@RateLimited(name = "tokens", rate = PLENTY, tokens = "#cost")
	public int withTokens(String userId, int cost) {
		return userId.length();
	}

	@RateLimited(name = "condition", rate = PLENTY, condition = "#cost > 0")
	public int withCondition(String userId, int cost) {
		return userId.length();
	}

	@RateLimited(name = "refused", rate = 1, per = "365d")
	public int refused(String userId) {
		return userId.length();
	}

	@RateLimited(name = "fallback", rate = 1, per = "365d", fallback = "instead")
	public int withFallback(String userId) {
		return userId.length();
	}

	int instead(@Nullable String userId) {
		return -1;
	}

	@RateLimiter(name = "resilience4j")
	public int resilience4j(String userId) {
		return userId.length();
	}

	@RateLimiter(name = "resilience4j-refused")
	public int resilience4jRefused(String userId) {
		return userId.length();
	}

}
