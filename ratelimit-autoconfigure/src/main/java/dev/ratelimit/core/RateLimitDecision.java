package dev.ratelimit.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a limit decided on one call.
 *
 * @param bucketName name of the limit
 * @param limit the limit in force
 * @param availableTokens whole tokens the bucket holds after the decision
 * @param accepted whether the call passes
 * @param retryAfter of a refused call, how long until it would have passed; {@code null}
 * if accepted, or if it can never pass
 */
public record RateLimitDecision(String bucketName, RateLimit limit, long availableTokens, boolean accepted,
		@Nullable Duration retryAfter) {

}
