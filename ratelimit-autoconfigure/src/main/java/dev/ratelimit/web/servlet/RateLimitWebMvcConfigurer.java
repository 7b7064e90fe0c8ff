package dev.ratelimit.web.servlet;

import java.util.List;

import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RateLimitProblemMapper;

import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Lets requests that failed at a limit be answered before any other exception resolver of
 * Spring MVC sees them, and responses tell what the limits of a request decided.
 */
public final class RateLimitWebMvcConfigurer implements WebMvcConfigurer {

	private final RateLimitProblemMapper problemMapper;

	private final RateLimitHeaders headers;

	/**
	 * Creates a configurer.
	 * @param problemMapper decides on the answers
	 * @param headers writes the fields that tell the client about its limits
	 */
	public RateLimitWebMvcConfigurer(RateLimitProblemMapper problemMapper, RateLimitHeaders headers) {
		this.problemMapper = problemMapper;
		this.headers = headers;
	}

	@Override
	public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
		resolvers.add(0, new RateLimitExceptionResolver(resolvers, this.problemMapper, this.headers));
	}

	@Override
	public void addInterceptors(InterceptorRegistry registry) {
		registry.addInterceptor(new RequestQuotaInterceptor(this.headers)).order(Ordered.HIGHEST_PRECEDENCE);
	}

}
