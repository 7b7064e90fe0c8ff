package dev.ratelimit.autoconfigure;

import dev.ratelimit.actuate.RateLimitsEndpoint;
import dev.ratelimit.actuate.RateLimitsEndpointWebExtension;
import dev.ratelimit.core.RateLimiterRegistry;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of the actuator endpoint
 * {@code ratelimits}, where it is available.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
public final class RateLimitEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint
	RateLimitsEndpoint rateLimitsEndpoint(RateLimiterRegistry registry) {
		return new RateLimitsEndpoint(registry);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint
	RateLimitsEndpointWebExtension rateLimitsEndpointWebExtension(RateLimitsEndpoint endpoint,
			RateLimiterRegistry registry) {
		return new RateLimitsEndpointWebExtension(endpoint, registry);
	}

}
