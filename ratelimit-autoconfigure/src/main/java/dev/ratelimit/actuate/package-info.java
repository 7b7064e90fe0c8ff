/**
 * The actuator endpoint {@code ratelimits}: the only package that sees endpoint
 * annotations.
 */
@NullMarked
package dev.ratelimit.actuate;

import org.jspecify.annotations.NullMarked;
