/**
 * Requests to a limited endpoint.
 */
@NullMarked
package dev.ratelimit.benchmarks.http;

import org.jspecify.annotations.NullMarked;
