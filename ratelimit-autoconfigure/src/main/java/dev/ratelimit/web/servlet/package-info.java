/**
 * How Spring MVC answers a request that failed at a limit.
 */
@NullMarked
package dev.ratelimit.web.servlet;

import org.jspecify.annotations.NullMarked;
