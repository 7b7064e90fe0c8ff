/**
 * How Spring WebFlux tells limits who is calling and clients what was decided, and how it
 * answers a request that failed at a limit.
 */
@NullMarked
package dev.ratelimit.web.reactive;

import org.jspecify.annotations.NullMarked;
