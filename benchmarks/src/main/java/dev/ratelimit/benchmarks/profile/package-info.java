/**
 * What JMH measures beside time.
 */
@NullMarked
package dev.ratelimit.benchmarks.profile;

import org.jspecify.annotations.NullMarked;
