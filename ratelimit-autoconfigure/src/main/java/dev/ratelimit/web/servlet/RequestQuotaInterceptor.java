package dev.ratelimit.web.servlet;

import dev.ratelimit.web.RateLimitHeaders;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.servlet.AsyncHandlerInterceptor;

/**
 * Follows a request from thread to thread.
 */
final class RequestQuotaInterceptor implements AsyncHandlerInterceptor {

	private final RateLimitHeaders headers;

	RequestQuotaInterceptor(RateLimitHeaders headers) {
		this.headers = headers;
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
		RequestQuota.of(request, this.headers).dispatched(response);
		return true;
	}

	@Override
	public void afterConcurrentHandlingStarted(HttpServletRequest request, HttpServletResponse response,
			Object handler) {
		RequestQuota.of(request, this.headers).released(response);
	}

}
