/**
 * Wiring: auto-configurations, properties, and analyses of what ends startup.
 */
@NullMarked
package dev.ratelimit.autoconfigure;

import org.jspecify.annotations.NullMarked;
