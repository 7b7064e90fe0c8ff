/**
 * What users write on their methods.
 */
@NullMarked
package dev.ratelimit.annotation;

import org.jspecify.annotations.NullMarked;
