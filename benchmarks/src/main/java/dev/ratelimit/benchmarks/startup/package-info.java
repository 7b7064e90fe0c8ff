/**
 * Startup of an application.
 */
@NullMarked
package dev.ratelimit.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
