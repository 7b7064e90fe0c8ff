package dev.ratelimit.core;

/**
 * What became of an attempt to take tokens from a {@link LocalTokenBucket}.
 */
enum Outcome {

	GRANTED, REFUSED,

	/**
	 * The bucket has been replaced: the caller looks its successor up and asks that.
	 */
	RETIRED

}
