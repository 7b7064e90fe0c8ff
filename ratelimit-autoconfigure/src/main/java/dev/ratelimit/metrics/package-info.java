/**
 * From decisions to meters: the only package that sees Micrometer.
 */
@NullMarked
package dev.ratelimit.metrics;

import org.jspecify.annotations.NullMarked;
