package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.metrics.RateLimitMetrics;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the meters of limits, where there is a
 * {@link MeterRegistry}.
 */
@AutoConfiguration(after = RateLimitAspectAutoConfiguration.class,
		afterName = { "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "ratelimit.metrics.enabled", matchIfMissing = true)
public final class RateLimitMetricsAutoConfiguration {

	@Bean
	static RateLimitMetrics rateLimitMetrics() {
		return new RateLimitMetrics();
	}

	/**
	 * Registers the meters when all limits have been declared, but before a web server
	 * lets calls in.
	 */
	@Bean
	static SmartInitializingSingleton rateLimitMetersRegistrar(RateLimitMetrics metrics, RateLimiterRegistry limits,
			ObjectProvider<MeterRegistry> registries) {
		return () -> {
			limits.limiters();
			metrics.bindTo(registry(registries));
		};
	}

	private static MeterRegistry registry(ObjectProvider<MeterRegistry> registries) {
		MeterRegistry unique = registries.getIfUnique();
		List<MeterRegistry> all = registries.orderedStream().toList();
		return (unique != null) ? unique : new CompositeMeterRegistry(Clock.SYSTEM, all);
	}

}
