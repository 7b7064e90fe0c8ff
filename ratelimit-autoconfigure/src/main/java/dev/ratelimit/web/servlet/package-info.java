/**
 * What limits know of a servlet request, and how Spring MVC tells what they decided on
 * it.
 */
@NullMarked
package dev.ratelimit.web.servlet;

import org.jspecify.annotations.NullMarked;
