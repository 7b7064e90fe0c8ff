/**
 * Decisions in Redis.
 */
@NullMarked
package dev.ratelimit.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
