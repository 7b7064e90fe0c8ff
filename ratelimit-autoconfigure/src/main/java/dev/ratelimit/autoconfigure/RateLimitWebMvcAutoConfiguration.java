package dev.ratelimit.autoconfigure;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.web.ClientIpResolver;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RateLimitProblemMapper;
import dev.ratelimit.web.servlet.RateLimitWebMvcConfigurer;
import dev.ratelimit.web.servlet.ServletCallContextSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Auto-configures how limits know the request of a servlet, and how Spring MVC tells what
 * they decided on it.
 * <p>
 * Active whatever {@code ratelimit.enabled} says, since buckets used in code limit all
 * the same.
 */
@AutoConfiguration(after = RateLimitWebAutoConfiguration.class,
		afterName = { "org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration",
				"org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration" })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
public final class RateLimitWebMvcAutoConfiguration {

	@Bean
	RateLimitWebMvcConfigurer rateLimitWebMvcConfigurer(RateLimitProblemMapper problemMapper,
			RateLimitHeaders headers) {
		return new RateLimitWebMvcConfigurer(problemMapper, headers);
	}

	@Bean
	@ConditionalOnMissingBean
	CallContext.Source rateLimitServletCallContextSource(ClientIpResolver clientIpResolver, RateLimitHeaders headers) {
		return new ServletCallContextSource(clientIpResolver, headers);
	}

}
