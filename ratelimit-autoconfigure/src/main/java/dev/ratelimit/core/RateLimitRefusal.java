package dev.ratelimit.core;

/**
 * The refusal of a call.
 *
 * @param request what the refusing limit was asked for
 * @param exception what the call is to fail with
 */
public record RateLimitRefusal(RateLimitRequest request, RateLimitExceededException exception) {

}
