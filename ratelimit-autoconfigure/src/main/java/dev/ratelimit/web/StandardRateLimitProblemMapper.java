package dev.ratelimit.web;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;

/**
 * Answers a refusal as draft-ietf-httpapi-ratelimit-headers-11 says, and any other
 * failure without claiming a quota.
 */
final class StandardRateLimitProblemMapper implements RateLimitProblemMapper {

	private static final int TOO_MANY_REQUESTS = 429;

	private static final int SERVICE_UNAVAILABLE = 503;

	@Override
	public RateLimitProblem map(RuntimeException failure) {
		if (failure instanceof RateLimitExceededException refusal) {
			return new RateLimitProblem(TOO_MANY_REQUESTS,
					"https://iana.org/assignments/http-problem-types#quota-exceeded", "Quota Exceeded", detail(refusal),
					List.of(refusal.getBucketName()), refusal.getRetryAfter());
		}
		if (failure instanceof RateLimitWaitInterruptedException) {
			return unavailable("tag:ratelimit.dev,2026:wait-interrupted", "Wait Interrupted",
					"The request waited for its turn, and the server ended the wait early; try again.");
		}
		return unavailable("tag:ratelimit.dev,2026:store-unavailable", "Rate Limit Store Unavailable",
				"The server cannot tell at present whether the request is within its limits; try again later.");
	}

	private static RateLimitProblem unavailable(String type, String title, String detail) {
		return new RateLimitProblem(SERVICE_UNAVAILABLE, type, title, detail, List.of(), null);
	}

	private static String detail(RateLimitExceededException refusal) {
		Duration retryAfter = refusal.getRetryAfter();
		if (retryAfter == null) {
			return "The request needs " + refusal.getTokens() + " tokens at once and its limit holds at most "
					+ refusal.getLimit().capacity() + ", so it can never pass.";
		}
		long seconds = DelaySeconds.of(retryAfter);
		return "Too many requests; try again in " + seconds + ((seconds == 1) ? " second." : " seconds.");
	}

}
