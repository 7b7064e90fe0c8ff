package dev.ratelimit.actuate;

import java.util.Map;

/**
 * All limits, as the endpoint shows them.
 *
 * @param buckets limits by name, in order of their names
 */
public record LimitDescriptions(Map<String, LimitDescription> buckets) {

}
