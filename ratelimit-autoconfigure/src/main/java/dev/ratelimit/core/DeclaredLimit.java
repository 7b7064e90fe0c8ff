package dev.ratelimit.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What code says about a limit.
 *
 * @param name name of the limit
 * @param named whether the code names the limit, as opposed to a name made from that of
 * the place; two places may share a limit by name, but not by accident
 * @param place where it is said, for messages: class and method
 * @param rate tokens added in each period; {@code null}: not said
 * @param per the period; {@code null}: not said
 * @param capacity most tokens the bucket holds; {@code null}: not said
 * @param mode what its calls do when there are too few tokens
 */
public record DeclaredLimit(String name, boolean named, String place, @Nullable Double rate, @Nullable Duration per,
		@Nullable Long capacity, RateLimitMode mode) {

}
