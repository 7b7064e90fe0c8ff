package dev.ratelimit.web.servlet;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.web.ClientIpResolver;
import dev.ratelimit.web.RateLimitHeaders;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Finds the servlet request that the calling thread works for, where Spring has bound it
 * to the thread.
 */
public final class ServletCallContextSource implements CallContext.Source {

	private final ClientIpResolver clientIpResolver;

	private final RateLimitHeaders headers;

	/**
	 * Creates a source.
	 * @param clientIpResolver finds the address of the client
	 * @param headers writes the fields that tell the client about its limits
	 */
	public ServletCallContextSource(ClientIpResolver clientIpResolver, RateLimitHeaders headers) {
		this.clientIpResolver = clientIpResolver;
		this.headers = headers;
	}

	@Override
	public @Nullable CallContext current() {
		RequestAttributes attributes = RequestContextHolder.getRequestAttributes();
		if (attributes instanceof ServletRequestAttributes bound && bound.getResponse() != null) {
			return find(bound.getRequest(), bound.getResponse());
		}
		return null;
	}

	/**
	 * Returns the context of a request, unless it has ended: it may have been handed on
	 * to a thread that outlives it.
	 */
	private @Nullable CallContext find(HttpServletRequest request, HttpServletResponse response) {
		try {
			return of(request, response);
		}
		catch (IllegalStateException ex) {
			return null;
		}
	}

	/**
	 * Returns the context of a request.
	 * @throws IllegalStateException if the request has ended
	 */
	CallContext of(HttpServletRequest request, HttpServletResponse response) {
		return new ServletCallContext(request, response, this.clientIpResolver, RequestQuota.of(request, this.headers));
	}

}
