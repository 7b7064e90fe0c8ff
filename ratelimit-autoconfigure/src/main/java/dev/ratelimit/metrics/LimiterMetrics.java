package dev.ratelimit.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimiter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one limit decides, and keeps the counts until there are meters.
 */
final class LimiterMetrics implements RateLimitListener {

	private final RateLimiter limiter;

	private @Nullable List<Consumer<LimiterMeters>> early = new ArrayList<>();

	private volatile @Nullable LimiterMeters meters;

	LimiterMetrics(RateLimiter limiter) {
		this.limiter = limiter;
	}

	/**
	 * Registers the meters and counts in them what was counted before.
	 */
	synchronized void bindTo(MeterRegistry registry) {
		List<Consumer<LimiterMeters>> early = (this.early != null) ? this.early : List.of();
		this.early = null;
		LimiterMeters meters = new LimiterMeters(this.limiter, registry);
		this.meters = meters;
		early.forEach((count) -> count.accept(meters));
	}

	@Override
	public void allowed(RateLimiter limiter, @Nullable String key, long tokens) {
		count(LimiterMeters::allowed);
	}

	@Override
	public void waited(RateLimiter limiter, @Nullable String key, long tokens, Duration waited) {
		count((meters) -> meters.waited(waited));
	}

	@Override
	public void rejected(RateLimiter limiter, @Nullable String key, long tokens) {
		count(LimiterMeters::rejected);
	}

	@Override
	public void cancelled(RateLimiter limiter, @Nullable String key, long tokens) {
		count(LimiterMeters::cancelled);
	}

	@Override
	public void exempt(RateLimiter limiter, @Nullable String key, long tokens) {
		count(LimiterMeters::exempt);
	}

	@Override
	public void shadowed(RateLimiter limiter, @Nullable String key, long tokens) {
		count(LimiterMeters::shadowed);
	}

	@Override
	public void storeFailed(RateLimiter limiter, String store, Throwable failure) {
		count((meters) -> meters.storeFailed(store));
	}

	@Override
	public String toString() {
		return "meters of rate limit '" + this.limiter.name() + "'";
	}

	private void count(Consumer<LimiterMeters> count) {
		LimiterMeters meters = this.meters;
		if (meters != null) {
			count.accept(meters);
		}
		else {
			countEarly(count);
		}
	}

	private synchronized void countEarly(Consumer<LimiterMeters> count) {
		LimiterMeters meters = this.meters;
		if (meters != null) {
			count.accept(meters);
		}
		else if (this.early != null) {
			this.early.add(count);
		}
	}

}
