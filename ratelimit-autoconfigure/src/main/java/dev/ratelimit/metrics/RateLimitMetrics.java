package dev.ratelimit.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimiter;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Counts what limits decide in meters named {@code ratelimit.*}, tagged by the name of
 * the limit and never by a key. Until it is bound to a registry it keeps the counts
 * itself, so that early calls do not need the registry to be there.
 */
public final class RateLimitMetrics implements RateLimitListener {

	private static final Log logger = LogFactory.getLog(RateLimitMetrics.class);

	private final List<LimiterMetrics> limiters = new CopyOnWriteArrayList<>();

	private final AtomicBoolean warned = new AtomicBoolean();

	private @Nullable MeterRegistry registry;

	@Override
	public RateLimitListener forLimiter(RateLimiter limiter) {
		LimiterMetrics metrics = new LimiterMetrics(limiter);
		synchronized (this) {
			this.limiters.add(metrics);
			if (this.registry != null) {
				bind(metrics, this.registry);
			}
		}
		return metrics;
	}

	/**
	 * Registers the meters of all limits, and of those to come. A registry that throws is
	 * logged once.
	 * @param registry where the meters are registered
	 */
	public synchronized void bindTo(MeterRegistry registry) {
		this.registry = registry;
		this.limiters.forEach((metrics) -> bind(metrics, registry));
	}

	private void bind(LimiterMetrics metrics, MeterRegistry registry) {
		try {
			metrics.bindTo(registry);
		}
		catch (RuntimeException ex) {
			if (this.warned.compareAndSet(false, true)) {
				logger.warn("Meters of rate limits could not be registered, which is logged once", ex);
			}
		}
	}

}
