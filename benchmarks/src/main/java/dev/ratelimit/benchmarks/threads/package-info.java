/**
 * Threads that Java 17 does not have.
 */
@NullMarked
package dev.ratelimit.benchmarks.threads;

import org.jspecify.annotations.NullMarked;
