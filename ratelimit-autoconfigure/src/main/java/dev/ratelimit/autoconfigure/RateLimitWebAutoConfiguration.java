package dev.ratelimit.autoconfigure;

import dev.ratelimit.autoconfigure.RateLimitProperties.ClientIp;
import dev.ratelimit.web.ClientIpResolver;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RateLimitProblemMapper;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of what Spring MVC and WebFlux have in
 * common. Declare a bean of type {@link RateLimitProblemMapper} to answer failures
 * differently.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitWebAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitProblemMapper rateLimitProblemMapper() {
		return RateLimitProblemMapper.standard();
	}

	@Bean
	RateLimitHeaders rateLimitHeaders(RateLimitProperties properties) {
		return new RateLimitHeaders(properties.getHttp().getHeaders());
	}

	@Bean
	ClientIpResolver rateLimitClientIpResolver(RateLimitProperties properties) {
		ClientIp clientIp = properties.getHttp().getClientIp();
		return new ClientIpResolver(clientIp.getTrustedProxies(), clientIp.getIpv6Prefix());
	}

}
