/**
 * One decision of a bucket, beside its peers.
 */
@NullMarked
package dev.ratelimit.benchmarks.decision;

import org.jspecify.annotations.NullMarked;
