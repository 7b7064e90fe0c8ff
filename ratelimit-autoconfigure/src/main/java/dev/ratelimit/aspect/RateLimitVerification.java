package dev.ratelimit.aspect;

/**
 * What becomes of the faults that startup finds in annotated methods.
 */
public enum RateLimitVerification {

	/**
	 * They end startup.
	 */
	FAIL,

	/**
	 * They are logged as warnings.
	 */
	WARN,

	/**
	 * They are not looked for.
	 */
	OFF

}
