package dev.ratelimit.autoconfigure;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.core.RateLimiterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of what startup logs about limits, once
 * all of them have been declared.
 */
@AutoConfiguration(after = RateLimitAspectAutoConfiguration.class)
public final class RateLimitReportAutoConfiguration {

	private static final String REDIS_CONNECTION = "org.springframework.data.redis.connection.RedisConnectionFactory";

	@Bean
	StartupReport rateLimitStartupReport(RateLimiterRegistry registry, RateLimitProperties properties,
			ListableBeanFactory beanFactory, Environment environment) {
		return new StartupReport(registry, properties.isEnabled(), beanFactory, environment, REDIS_CONNECTION);
	}

	@Bean
	MisspeltLimits rateLimitMisspeltLimits(RateLimiterRegistry registry, ConfigurableListableBeanFactory beanFactory,
			RateLimitProperties properties) {
		Stream<@Nullable String> ofRoutes = properties.getHttp().getRoutes().stream().map(RouteProperties::getBucket);
		return new MisspeltLimits(registry, beanFactory,
				ofRoutes.filter(Objects::nonNull)
					.map(RateLimiterRegistry::canonicalName)
					.collect(Collectors.toUnmodifiableSet()));
	}

}
