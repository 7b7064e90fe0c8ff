package dev.ratelimit.web.servlet;

import dev.ratelimit.core.RateLimitDecision;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RequestDecisions;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * What limits decided on a request, and its way into the response. The response belongs
 * to the thread that the container has dispatched the request to; a decision made
 * elsewhere is written when that thread lets go, or when the request is dispatched again.
 */
final class RequestQuota {

	private static final String ATTRIBUTE = RequestQuota.class.getName();

	private final RequestDecisions decisions = new RequestDecisions();

	private final RateLimitHeaders headers;

	private @Nullable Thread owner = Thread.currentThread();

	private boolean unwritten;

	private RequestQuota(RateLimitHeaders headers) {
		this.headers = headers;
	}

	/**
	 * Returns what belongs to a request, which is the same for all of its dispatches.
	 * @throws IllegalStateException if the request has ended
	 */
	static RequestQuota of(ServletRequest request, RateLimitHeaders headers) {
		if (request.getAttribute(ATTRIBUTE) instanceof RequestQuota known) {
			return known;
		}
		RequestQuota quota = new RequestQuota(headers);
		request.setAttribute(ATTRIBUTE, quota);
		return quota;
	}

	/**
	 * Gives the response to the calling thread.
	 */
	synchronized void dispatched(HttpServletResponse response) {
		this.owner = Thread.currentThread();
		write(response);
	}

	/**
	 * Gives the response to whichever thread answers the request.
	 */
	synchronized void released(HttpServletResponse response) {
		if (this.unwritten || !carriesFields(response)) {
			write(response);
		}
		this.owner = null;
	}

	synchronized void add(RateLimitDecision decision, HttpServletResponse response) {
		this.decisions.add(decision);
		this.unwritten = true;
		if (this.owner == null || this.owner == Thread.currentThread()) {
			write(response);
		}
	}

	/**
	 * Takes note of the failure that ends the request.
	 */
	synchronized void endWith(RuntimeException failure, HttpServletResponse response) {
		this.decisions.endWith(failure);
		if (!response.isCommitted() && carriesFields(response)) {
			ResponseReset.withoutHeaders(response, this.headers.names());
		}
		write(response);
	}

	private boolean carriesFields(HttpServletResponse response) {
		return this.headers.names().stream().anyMatch(response::containsHeader);
	}

	private void write(HttpServletResponse response) {
		this.unwritten = false;
		if (!response.isCommitted()) {
			this.headers.of(this.decisions.list()).forEach(response::setHeader);
		}
	}

}
