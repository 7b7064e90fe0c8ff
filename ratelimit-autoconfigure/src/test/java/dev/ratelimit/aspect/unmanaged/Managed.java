package dev.ratelimit.aspect.unmanaged;

import dev.ratelimit.annotation.RateLimited;

/**
 * An annotated class that tests make a bean.
 */
public class Managed {

	@RateLimited(rate = 1)
	public void call() {
	}

}
