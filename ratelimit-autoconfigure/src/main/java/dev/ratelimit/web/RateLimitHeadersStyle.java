package dev.ratelimit.web;

/**
 * Which fields of a response tell the client about its limits.
 */
public enum RateLimitHeadersStyle {

	/**
	 * {@code RateLimit-Policy} and {@code RateLimit}, as
	 * draft-ietf-httpapi-ratelimit-headers-11 has them.
	 */
	STANDARD,

	/**
	 * {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and
	 * {@code X-RateLimit-Reset}, the last in seconds from now.
	 */
	LEGACY,

	/**
	 * None. A refusal still has its {@code Retry-After}.
	 */
	NONE

}
