package dev.ratelimit.aspect;

import dev.ratelimit.core.RateLimitMode;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;

/**
 * Warns of controllers whose calls wait in a way that keeps the web server from serving
 * others.
 *
 * @param mayPark whether a call may park the thread that serves the request
 */
record ControllerWaits(boolean mayPark) {

	private static final Log logger = LogFactory.getLog(ControllerWaits.class);

	void warnOf(LimitedMethod method, RateLimitedCall call) {
		if (call.mode() != RateLimitMode.WAIT
				|| !AnnotatedElementUtils.hasAnnotation(method.targetClass(), Controller.class)) {
			return;
		}
		if (!this.mayPark && method.adapter().parks()) {
			logger.warn(("%s waits for the rate limit '%s' on the thread that calls it, which is an event loop unless"
					+ " WebFlux is told to execute blocking methods elsewhere, and no other request of that loop is"
					+ " served meanwhile: let the method return a reactive type, or take mode REJECT.")
				.formatted(call.operation().limit().place(), call.limiter().name()));
		}
		else if (call.isUnbounded()) {
			logger.warn(("%s waits for the rate limit '%s' without a bound, and each waiting request may hold a"
					+ " thread of the web server: set max-wait or max-waiters below ratelimit.buckets, or maxWait"
					+ " at the annotation.")
				.formatted(call.operation().limit().place(), call.limiter().name()));
		}
	}

}
