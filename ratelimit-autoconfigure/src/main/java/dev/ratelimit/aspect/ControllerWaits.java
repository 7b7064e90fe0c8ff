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
		if (!AnnotatedElementUtils.hasAnnotation(method.targetClass(), Controller.class)) {
			return;
		}
		boolean waits = call.mode() == RateLimitMode.WAIT;
		if (!this.mayPark && method.adapter().parks() && (waits || call.limiter().isRemote())) {
			logger
				.warn(("%s waits for the %s on the thread that calls it, which is an event loop unless WebFlux is told"
						+ " to execute blocking methods elsewhere, and no other request of that loop is served"
						+ " meanwhile: let the method return a reactive type, or %s.")
					.formatted(call.operation().limit().place(), whatFor(call, waits), remedy(call, waits)));
		}
		else if (waits && call.isUnbounded()) {
			logger.warn(("%s waits for the rate limit '%s' without a bound, and each waiting request may hold a"
					+ " thread of the web server: set max-wait or max-waiters below ratelimit.buckets, or maxWait"
					+ " at the annotation.")
				.formatted(call.operation().limit().place(), call.limiter().name()));
		}
	}

	private static String whatFor(RateLimitedCall call, boolean waits) {
		String limit = "rate limit '%s'".formatted(call.limiter().name());
		return waits ? limit : "answer of the store '%s' of the %s".formatted(call.limiter().store(), limit);
	}

	private static String remedy(RateLimitedCall call, boolean waits) {
		String inMemory = "keep its buckets in the store 'local'";
		if (!waits) {
			return inMemory;
		}
		return call.limiter().isRemote() ? "take mode REJECT and " + inMemory : "take mode REJECT";
	}

}
