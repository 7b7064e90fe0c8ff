/**
 * A page to watch limits at work, and what it shows: three endpoints, and the calls that
 * are sent to them.
 */
@NullMarked
package dev.ratelimit.sample.page;

import org.jspecify.annotations.NullMarked;
