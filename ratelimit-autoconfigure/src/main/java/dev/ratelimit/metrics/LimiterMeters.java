package dev.ratelimit.metrics;

import java.time.Duration;

import dev.ratelimit.core.RateLimiter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * The meters of one limit, registered at zero.
 */
final class LimiterMeters {

	private final RateLimiter limiter;

	private final MeterRegistry registry;

	private final Counter allowed;

	private final Counter waited;

	private final Counter rejected;

	private final Counter cancelled;

	private final Counter shadowed;

	private final Counter exempt;

	private final Timer wait;

	LimiterMeters(RateLimiter limiter, MeterRegistry registry) {
		this.limiter = limiter;
		this.registry = registry;
		this.allowed = requests("allowed");
		this.waited = requests("waited");
		this.rejected = requests("rejected");
		this.cancelled = requests("cancelled");
		this.shadowed = requests("shadowed");
		this.exempt = requests("exempt");
		this.wait = Timer.builder("ratelimit.wait")
			.description("Time spent waiting by calls that waited for their tokens")
			.tag("bucket", limiter.name())
			.register(registry);
		storeErrors(limiter.store());
		Gauge.builder("ratelimit.tokens", limiter, RateLimiter::lastSeenTokens)
			.description("Tokens available in the unkeyed bucket")
			.tag("bucket", limiter.name())
			.register(registry);
		Gauge.builder("ratelimit.waiters", limiter, RateLimiter::waiters)
			.description("Calls that wait for their tokens now")
			.tag("bucket", limiter.name())
			.register(registry);
		Gauge.builder("ratelimit.keys", limiter, RateLimiter::keys)
			.description("Keyed buckets held in memory")
			.tag("bucket", limiter.name())
			.register(registry);
		FunctionCounter.builder("ratelimit.keys.dropped", limiter, RateLimiter::dropped)
			.description("Keyed buckets dropped to make room though they were not full")
			.tag("bucket", limiter.name())
			.register(registry);
	}

	void allowed() {
		this.allowed.increment();
	}

	void waited(Duration waited) {
		this.waited.increment();
		this.wait.record(waited);
	}

	void rejected() {
		this.rejected.increment();
	}

	void cancelled() {
		this.cancelled.increment();
	}

	void shadowed() {
		this.shadowed.increment();
	}

	void exempt() {
		this.exempt.increment();
	}

	void storeFailed(String store) {
		storeErrors(store).increment();
	}

	private Counter requests(String outcome) {
		return Counter.builder("ratelimit.requests")
			.description("Calls that reached the limit, by what became of them")
			.tag("bucket", this.limiter.name())
			.tag("outcome", outcome)
			.register(this.registry);
	}

	private Counter storeErrors(String store) {
		return Counter.builder("ratelimit.store.errors")
			.description("Calls that the store failed to answer")
			.tag("bucket", this.limiter.name())
			.tag("store", store)
			.register(this.registry);
	}

}
