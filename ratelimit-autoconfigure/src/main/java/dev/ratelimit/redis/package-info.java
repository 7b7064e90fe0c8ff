/**
 * Buckets in Redis: one script, one key, one round trip a decision.
 */
@NullMarked
package dev.ratelimit.redis;

import org.jspecify.annotations.NullMarked;
