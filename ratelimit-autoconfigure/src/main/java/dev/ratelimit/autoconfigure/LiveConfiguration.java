package dev.ratelimit.autoconfigure;

import java.util.function.Supplier;

import dev.ratelimit.core.ConfiguredLimit;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Applies changed properties below {@code ratelimit.buckets} where Spring Cloud tells
 * that the environment has changed. The event is known by its name, so that Spring Cloud
 * need not be there.
 */
final class LiveConfiguration implements ApplicationListener<ApplicationEvent> {

	private static final String CHANGE_EVENT = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

	private static final Log logger = LogFactory.getLog(LiveConfiguration.class);

	private final Environment environment;

	private final Supplier<RateLimiterRegistry> registry;

	LiveConfiguration(Environment environment, Supplier<RateLimiterRegistry> registry) {
		this.environment = environment;
		this.registry = registry;
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		if (event.getClass().getName().equals(CHANGE_EVENT)) {
			reconfigure();
		}
	}

	private void reconfigure() {
		ConfiguredLimits limits;
		try {
			limits = new ConfiguredLimits(new RateLimitProperties(), this.environment);
		}
		catch (RuntimeException ex) {
			logger.warn("Changed properties are not applied to rate limits: " + ex.getMessage(), ex);
			return;
		}
		RateLimiterRegistry registry = this.registry.get();
		registry.limiters().forEach((limiter) -> reconfigure(registry, limiter, limits));
	}

	private static void reconfigure(RateLimiterRegistry registry, RateLimiter limiter, ConfiguredLimits limits) {
		try {
			ConfiguredLimit configured = limits.of(limiter.name());
			if (registry.reconfigure(configured)) {
				logger.warn(configured.path() + ": rate, per, capacity and shadow change at run time; what else has"
						+ " changed takes a restart");
			}
		}
		catch (BindException ex) {
			ConfigurationProperty property = ex.getProperty();
			refused(limiter,
					"%s must be a %s, but was %s".formatted(ex.getName(),
							ClassUtils.getShortName(ex.getTarget().getType().resolve(Object.class)),
							(property != null) ? property.getValue() : null));
		}
		catch (RateLimitConfigurationException ex) {
			ex.getFaults().forEach((fault) -> refused(limiter, fault.problem() + ". " + fault.remedy()));
		}
	}

	private static void refused(RateLimiter limiter, String reason) {
		logger.warn("Changed properties are not applied to rate limit '" + limiter.name() + "': " + reason);
	}

}
