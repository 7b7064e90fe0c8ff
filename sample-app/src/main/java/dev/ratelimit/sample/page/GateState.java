package dev.ratelimit.sample.page;

import dev.ratelimit.core.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * A gate at one moment.
 *
 * @param tokens tokens in its bucket, or free places of the semaphore
 * @param capacity most of them that there can be
 * @param limit the limit in force; {@code null}: the gate is a semaphore
 * @param accepted calls that have passed since startup
 * @param refused calls that have been refused since startup
 * @param waiting calls that wait now
 */
record GateState(long tokens, long capacity, @Nullable RateLimit limit, long accepted, long refused, int waiting) {

}
