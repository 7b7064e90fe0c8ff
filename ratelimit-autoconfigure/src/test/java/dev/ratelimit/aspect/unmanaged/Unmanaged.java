package dev.ratelimit.aspect.unmanaged;

import dev.ratelimit.annotation.RateLimited;

/**
 * An annotated class that nobody makes a bean.
 */
public class Unmanaged {

	@RateLimited(rate = 1)
	public void call() {
	}

}
