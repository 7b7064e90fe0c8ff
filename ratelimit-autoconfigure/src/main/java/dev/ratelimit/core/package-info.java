/**
 * Token buckets and everything that can be said of them without a framework: exact
 * arithmetic, waiting, named limiters, and the ports through which time, storage and the
 * caller of a limited method are reached.
 */
@NullMarked
package dev.ratelimit.core;

import org.jspecify.annotations.NullMarked;
