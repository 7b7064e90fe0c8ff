/**
 * Calls that wait for their turn.
 */
@NullMarked
package dev.ratelimit.benchmarks.waiting;

import org.jspecify.annotations.NullMarked;
