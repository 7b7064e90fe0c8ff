package dev.ratelimit.web.servlet;

import java.util.List;

import dev.ratelimit.web.RateLimitProblemMapper;

import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Lets requests that failed at a limit be answered before any other exception resolver of
 * Spring MVC sees them.
 */
public final class RateLimitWebMvcConfigurer implements WebMvcConfigurer {

	private final RateLimitProblemMapper problemMapper;

	/**
	 * Creates a configurer.
	 * @param problemMapper decides on the answers
	 */
	public RateLimitWebMvcConfigurer(RateLimitProblemMapper problemMapper) {
		this.problemMapper = problemMapper;
	}

	@Override
	public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
		resolvers.add(0, new RateLimitExceptionResolver(resolvers, this.problemMapper));
	}

}
