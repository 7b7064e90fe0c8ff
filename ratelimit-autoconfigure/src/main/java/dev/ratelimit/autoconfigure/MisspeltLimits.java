package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Set;

import dev.ratelimit.core.NearestName;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Warns of limits below {@code ratelimit.buckets} that nothing uses and whose names
 * nearly are those of limits that code declares, which they were probably meant to tune.
 *
 * @param registry holds the limits
 * @param beanFactory knows which bucket beans are injected
 * @param ofRoutes names of the limits of routes, in the form in which they are compared
 */
record MisspeltLimits(RateLimiterRegistry registry, ConfigurableBeanFactory beanFactory,
		Set<String> ofRoutes) implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(MisspeltLimits.class);

	@Override
	public void afterSingletonsInstantiated() {
		List<String> declared = this.registry.limiters()
			.stream()
			.map(RateLimiter::name)
			.filter(this.registry::isDeclared)
			.toList();
		for (RateLimiter limiter : this.registry.limiters()) {
			String name = limiter.name();
			NearestName.near(name, declared)
				.filter((nearest) -> isUnused(name))
				.ifPresent((nearest) -> logger.warn("Nothing uses the rate limit '%s' of %s. Did you mean '%s'?"
					.formatted(name, BucketNames.path(name), nearest)));
		}
	}

	private boolean isUnused(String name) {
		return !this.registry.isDeclared(name) && !this.ofRoutes.contains(RateLimiterRegistry.canonicalName(name))
				&& this.beanFactory.getDependentBeans(TokenBucketBeansRegistrar.BEAN_NAME_PREFIX + name).length == 0;
	}

}
