package dev.ratelimit.web.servlet;

import java.security.Principal;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitDecision;
import dev.ratelimit.web.ClientIpResolver;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A servlet request on whose behalf limited methods are called.
 */
final class ServletCallContext implements CallContext {

	private static final Log logger = LogFactory.getLog(ServletCallContext.class);

	private static final AtomicBoolean warned = new AtomicBoolean();

	private static final String FORWARDED = "Forwarded";

	private static final String X_FORWARDED_FOR = "X-Forwarded-For";

	private final HttpServletRequest request;

	private final HttpServletResponse response;

	private final ClientIpResolver clientIpResolver;

	private final RequestQuota quota;

	ServletCallContext(HttpServletRequest request, HttpServletResponse response, ClientIpResolver clientIpResolver,
			RequestQuota quota) {
		this.request = request;
		this.response = response;
		this.clientIpResolver = clientIpResolver;
		this.quota = quota;
	}

	/**
	 * Asks the request as the container received it, for a filter may already have put
	 * what the client forwards in place of the address of its connection.
	 */
	@Override
	public @Nullable String clientIp() {
		return ask((request) -> {
			HttpServletRequest received = received(request);
			return this.clientIpResolver.resolve(received.getRemoteAddr(), lines(received, FORWARDED),
					lines(received, X_FORWARDED_FOR));
		});
	}

	private static HttpServletRequest received(HttpServletRequest request) {
		ServletRequest received = request;
		while (received instanceof ServletRequestWrapper wrapper) {
			received = wrapper.getRequest();
		}
		return (HttpServletRequest) received;
	}

	private static List<String> lines(HttpServletRequest request, String name) {
		return Collections.list(request.getHeaders(name));
	}

	@Override
	public @Nullable String principal() {
		return ask((request) -> {
			Principal principal = request.getUserPrincipal();
			return (principal != null) ? principal.getName() : null;
		});
	}

	@Override
	public @Nullable String header(String name) {
		return ask((request) -> request.getHeader(name));
	}

	private @Nullable String ask(Function<HttpServletRequest, @Nullable String> question) {
		try {
			return question.apply(this.request);
		}
		catch (IllegalStateException ex) {
			if (warned.compareAndSet(false, true)) {
				logger.warn("A limit asks who is calling after the request has ended, when nothing is known of it:"
						+ " such calls share the bucket without a key. This is not reported again.", ex);
			}
			return null;
		}
	}

	@Override
	public void decided(RateLimitDecision decision) {
		try {
			this.quota.add(decision, this.response);
		}
		catch (RuntimeException ex) {
			logger.debug("The response has ended before it could tell of " + decision, ex);
		}
	}

}
