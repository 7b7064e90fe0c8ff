/**
 * What a failed limit looks like over HTTP, whatever serves it: the problem detail and
 * the values of the headers.
 */
@NullMarked
package dev.ratelimit.web;

import org.jspecify.annotations.NullMarked;
