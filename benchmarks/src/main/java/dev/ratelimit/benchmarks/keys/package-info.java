/**
 * Time and memory against the number of keys.
 */
@NullMarked
package dev.ratelimit.benchmarks.keys;

import org.jspecify.annotations.NullMarked;
