/**
 * The expressions in which annotations and routes say whose bucket a call asks, for how
 * many tokens, and when.
 */
@NullMarked
package dev.ratelimit.expression;

import org.jspecify.annotations.NullMarked;
