/**
 * From the annotation to a decision: finds the limits of a method, and the advice that
 * asks them.
 */
@NullMarked
package dev.ratelimit.aspect;

import org.jspecify.annotations.NullMarked;
