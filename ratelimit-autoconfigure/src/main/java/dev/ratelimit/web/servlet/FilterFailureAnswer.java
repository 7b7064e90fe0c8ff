package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.Iterator;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RateLimitProblemMapper;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Answers a request that failed at a limit before it came to Spring MVC, as Spring MVC
 * would have: with the CORS headers of its handler, and through an exception handler of
 * the application that names the failure.
 */
public final class FilterFailureAnswer {

	private static final Log logger = LogFactory.getLog(FilterFailureAnswer.class);

	private static final String EXCEPTION_RESOLVER = "handlerExceptionResolver";

	private final ListableBeanFactory beanFactory;

	private final RateLimitProblemMapper problemMapper;

	private final RateLimitHeaders headers;

	private final Supplier<Stream<CorsFilter>> corsFilters;

	/**
	 * Creates an answer.
	 * @param beanFactory the application, whose beans are asked for when a request fails
	 * @param problemMapper decides on the answers that the application does not give
	 * @param headers writes the fields that tell the client about its limits
	 * @param corsFilters filters of the application that write CORS headers, in order,
	 * which the request may not have come to
	 */
	public FilterFailureAnswer(ListableBeanFactory beanFactory, RateLimitProblemMapper problemMapper,
			RateLimitHeaders headers, Supplier<Stream<CorsFilter>> corsFilters) {
		this.beanFactory = beanFactory;
		this.problemMapper = problemMapper;
		this.headers = headers;
		this.corsFilters = corsFilters;
	}

	void write(RuntimeException failure, HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		Iterator<CorsFilter> filters = this.corsFilters.get().iterator();
		FilterChain chain = new FilterChain() {

			@Override
			public void doFilter(ServletRequest filtered, ServletResponse answer) throws ServletException, IOException {
				if (filters.hasNext()) {
					filters.next().doFilter(filtered, answer, this);
				}
				else {
					answer(failure, request, response);
				}
			}

		};
		chain.doFilter(request, response);
	}

	private void answer(RuntimeException failure, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		ServletRequestPathUtils.parseAndCache(request);
		try {
			HandlerExecutionChain handler = handler(request);
			if (!isAllowedOrigin(handler, request, response) || isAnswered(failure, handler, request, response)) {
				return;
			}
		}
		finally {
			ServletRequestPathUtils.clearParsedRequestPath(request);
		}
		RequestQuota.of(request, this.headers).endWith(failure, response);
		ProblemWriter.write(this.problemMapper.map(failure), request, response);
	}

	private @Nullable HandlerExecutionChain handler(HttpServletRequest request) {
		return this.beanFactory.getBeanProvider(HandlerMapping.class)
			.orderedStream()
			.<@Nullable HandlerExecutionChain>map((mapping) -> handler(mapping, request))
			.filter((handler) -> handler != null)
			.findFirst()
			.orElse(null);
	}

	private static @Nullable HandlerExecutionChain handler(HandlerMapping mapping, HttpServletRequest request) {
		try {
			return mapping.getHandler(request);
		}
		catch (Exception ex) {
			logger.debug("The request would not have been handled", ex);
			return null;
		}
	}

	private boolean isAllowedOrigin(@Nullable HandlerExecutionChain handler, HttpServletRequest request,
			HttpServletResponse response) throws IOException {
		CorsConfiguration configuration = CorsUtils.isCorsRequest(request) ? corsConfiguration(handler, request) : null;
		return configuration == null || new DefaultCorsProcessor().processRequest(configuration, request, response);
	}

	private @Nullable CorsConfiguration corsConfiguration(@Nullable HandlerExecutionChain handler,
			HttpServletRequest request) {
		if (handler != null) {
			for (Object interceptor : handler.getInterceptorList()) {
				if (interceptor instanceof CorsConfigurationSource source) {
					return source.getCorsConfiguration(request);
				}
			}
		}
		return this.beanFactory.getBeanProvider(CorsConfigurationSource.class)
			.orderedStream()
			.<@Nullable CorsConfiguration>map((source) -> source.getCorsConfiguration(request))
			.filter((configuration) -> configuration != null)
			.findFirst()
			.orElse(null);
	}

	private boolean isAnswered(RuntimeException failure, @Nullable HandlerExecutionChain handler,
			HttpServletRequest request, HttpServletResponse response) {
		if (!this.beanFactory.containsBean(EXCEPTION_RESOLVER)) {
			return false;
		}
		ModelAndView answer = this.beanFactory.getBean(EXCEPTION_RESOLVER, HandlerExceptionResolver.class)
			.resolveException(request, response, (handler != null) ? handler.getHandler() : null, failure);
		return answer != null && answer.isEmpty();
	}

}
