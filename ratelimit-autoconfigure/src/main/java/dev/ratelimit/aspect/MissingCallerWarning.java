package dev.ratelimit.aspect;

import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Warns once of a limit that asks who is calling where there is no request.
 */
final class MissingCallerWarning {

	private static final Log logger = LogFactory.getLog(MissingCallerWarning.class);

	private final AtomicBoolean given = new AtomicBoolean();

	void giveOnce(RateLimitedOperation operation) {
		if (this.given.compareAndSet(false, true)) {
			logger.warn(("The rate limit '%s' of %s asks who is calling, but was called outside a request or on"
					+ " another thread than the request's: nothing is known of the caller there, and such calls share"
					+ " the bucket without a key. This is not reported again.")
				.formatted(operation.limit().name(), operation.limit().place()));
		}
	}

}
