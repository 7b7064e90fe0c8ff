package dev.ratelimit.web;

import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;

/**
 * Decides how a request that failed at a limit is answered. A bean of this type replaces
 * the {@linkplain #standard() standard} one.
 */
@FunctionalInterface
public interface RateLimitProblemMapper {

	/**
	 * Returns the answer to a failure.
	 * @param failure a {@link RateLimitExceededException},
	 * {@link RateLimitWaitInterruptedException} or
	 * {@link RateLimitStoreUnavailableException}
	 * @return the answer
	 */
	RateLimitProblem map(RuntimeException failure);

	/**
	 * Returns the mapper that is used where the application brings none: status 429 for a
	 * refusal, 503 for anything else.
	 * @return the standard mapper
	 */
	static RateLimitProblemMapper standard() {
		return new StandardRateLimitProblemMapper();
	}

}
