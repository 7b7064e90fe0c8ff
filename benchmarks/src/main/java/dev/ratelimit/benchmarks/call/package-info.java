/**
 * A call of an annotated method.
 */
@NullMarked
package dev.ratelimit.benchmarks.call;

import org.jspecify.annotations.NullMarked;
