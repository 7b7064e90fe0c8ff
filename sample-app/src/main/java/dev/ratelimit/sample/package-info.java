/**
 * What rate limits look like in a Spring Boot application.
 */
@NullMarked
package dev.ratelimit.sample;

import org.jspecify.annotations.NullMarked;
