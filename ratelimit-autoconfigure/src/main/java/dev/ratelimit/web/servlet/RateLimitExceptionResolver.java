package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import dev.ratelimit.web.RateLimitFailures;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RateLimitProblem;
import dev.ratelimit.web.RateLimitProblemMapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.handler.AbstractHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;

/**
 * Answers a request that failed at a limit: through a handler of the application that
 * names the exception if there is one, else with a problem detail.
 */
final class RateLimitExceptionResolver extends AbstractHandlerExceptionResolver {

	private final List<NamingExceptionHandlerResolver> applicationHandlers;

	private final RateLimitProblemMapper problemMapper;

	private final RateLimitHeaders headers;

	RateLimitExceptionResolver(List<HandlerExceptionResolver> resolvers, RateLimitProblemMapper problemMapper,
			RateLimitHeaders headers) {
		this.applicationHandlers = resolvers.stream()
			.filter(ExceptionHandlerExceptionResolver.class::isInstance)
			.map(ExceptionHandlerExceptionResolver.class::cast)
			.map(NamingExceptionHandlerResolver::new)
			.toList();
		this.problemMapper = problemMapper;
		this.headers = headers;
	}

	@Override
	protected @Nullable ModelAndView doResolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception exception) {
		RuntimeException failure = RateLimitFailures.findIn(exception);
		if (failure == null) {
			return null;
		}
		RequestQuota.of(request, this.headers).endWith(failure, response);
		ModelAndView answer = askTheApplication(request, response, handler, failure);
		if (answer != null || response.isCommitted()) {
			return answer;
		}
		return answer(request, response, this.problemMapper.map(failure));
	}

	private @Nullable ModelAndView askTheApplication(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, RuntimeException failure) {
		for (NamingExceptionHandlerResolver handlers : this.applicationHandlers) {
			ModelAndView answer = handlers.resolveException(request, response, handler, failure);
			if (answer != null) {
				return answer;
			}
		}
		return null;
	}

	private ModelAndView answer(HttpServletRequest request, HttpServletResponse response, RateLimitProblem problem) {
		try {
			ProblemWriter.write(problem, request, response);
		}
		catch (IOException ex) {
			this.logger.debug("The client left before it was told of a limit", ex);
		}
		return new ModelAndView();
	}

}
