package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitAdmission;
import dev.ratelimit.core.RateLimitRefusal;
import dev.ratelimit.core.RateLimitRequest;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import dev.ratelimit.web.RouteLimits;
import dev.ratelimit.web.RouteMatch;
import dev.ratelimit.web.RouteOrder;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Asks the limits of the routes of a request before it goes on, once however often the
 * request is dispatched.
 */
public final class RouteLimitFilter extends OncePerRequestFilter implements Ordered {

	/**
	 * A path that the container has already decoded.
	 */
	private static final PathContainer.Options DECODED = PathContainer.Options.create('/', false);

	private final RouteOrder routeOrder;

	private final String asked;

	private final int order;

	private final RouteLimits limits;

	private final ServletCallContextSource contextSource;

	private final FilterFailureAnswer answer;

	/**
	 * Creates a filter.
	 * @param routeOrder which routes it is for
	 * @param order its position among the filters
	 * @param limits the limits of the routes
	 * @param contextSource makes the context of a request
	 * @param answer answers requests that failed at a limit
	 */
	public RouteLimitFilter(RouteOrder routeOrder, int order, RouteLimits limits,
			ServletCallContextSource contextSource, FilterFailureAnswer answer) {
		this.routeOrder = routeOrder;
		this.asked = RouteLimitFilter.class.getName() + "." + routeOrder;
		this.order = order;
		this.limits = limits;
		this.contextSource = contextSource;
		this.answer = answer;
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		return CorsUtils.isPreFlightRequest(request) || request.getAttribute(this.asked) != null;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		request.setAttribute(this.asked, true);
		List<RouteMatch> matches = this.limits.match(this.routeOrder, request.getMethod(), paths(request));
		RuntimeException failure = matches.isEmpty() ? null : ask(matches, this.contextSource.of(request, response));
		if (failure == null) {
			chain.doFilter(request, response);
		}
		else {
			this.answer.write(failure, request, response);
		}
	}

	/**
	 * Returns the path as the container reads it, which finds servlets and may normalize
	 * what Spring MVC does not, and as Spring MVC does, which keeps encoded slashes.
	 */
	private static List<PathContainer> paths(HttpServletRequest request) {
		String pathInfo = request.getPathInfo();
		String mapped = request.getServletPath() + ((pathInfo != null) ? pathInfo : "");
		PathContainer written = RequestPath.parse(request.getRequestURI(), request.getContextPath())
			.pathWithinApplication();
		return mapped.equals(written.value()) ? List.of(written)
				: List.of(PathContainer.parsePath(mapped, DECODED), written);
	}

	private static @Nullable RuntimeException ask(List<RouteMatch> matches, CallContext context) {
		List<RateLimitRequest> requests = RouteMatch.requests(matches, context);
		try {
			RateLimitRefusal refusal = RateLimitAdmission.request(requests, context).await();
			return (refusal != null) ? refusal.exception() : null;
		}
		catch (RateLimitWaitInterruptedException | RateLimitStoreUnavailableException ex) {
			return ex;
		}
	}

}
