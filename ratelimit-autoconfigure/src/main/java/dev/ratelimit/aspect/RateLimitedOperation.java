package dev.ratelimit.aspect;

import java.time.Duration;

import dev.ratelimit.core.DeclaredLimit;
import dev.ratelimit.core.RateLimitMode;
import org.jspecify.annotations.Nullable;

/**
 * One {@link dev.ratelimit.annotation.RateLimited} annotation of one method, parsed.
 *
 * @param limit what it says about the limit
 * @param mode what a call does when there are too few tokens
 * @param maxWait the longest wait; {@code null}: not said
 */
record RateLimitedOperation(DeclaredLimit limit, RateLimitMode mode, @Nullable Duration maxWait) {

}
