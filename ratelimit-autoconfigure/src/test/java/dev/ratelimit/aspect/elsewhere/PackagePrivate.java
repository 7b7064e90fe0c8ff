package dev.ratelimit.aspect.elsewhere;

import dev.ratelimit.annotation.RateLimited;

/**
 * Has a limited method that a subclass in another package cannot override.
 */
public class PackagePrivate {

	@RateLimited(rate = 1)
	void call() {
	}

}
