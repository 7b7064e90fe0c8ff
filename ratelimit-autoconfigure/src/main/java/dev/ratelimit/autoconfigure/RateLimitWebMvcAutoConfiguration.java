package dev.ratelimit.autoconfigure;

import dev.ratelimit.web.RateLimitProblemMapper;
import dev.ratelimit.web.servlet.RateLimitWebMvcConfigurer;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Auto-configures how Spring MVC answers requests that failed at a limit.
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
	RateLimitWebMvcConfigurer rateLimitWebMvcConfigurer(RateLimitProblemMapper problemMapper) {
		return new RateLimitWebMvcConfigurer(problemMapper);
	}

}
