package dev.ratelimit.sample.page;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitMode;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Three endpoints that do the same work behind different gates: a bucket that refuses, a
 * bucket that lets calls wait, a semaphore. Each answers with the time, in milliseconds
 * since 1970, at which the call passed its gate.
 */
@RestController
class GateController {

	private static final long WORK_MILLIS = 500;

	private final FiveAtATime semaphore;

	GateController(FiveAtATime semaphore) {
		this.semaphore = semaphore;
	}

	@GetMapping("/gates/reject")
	@RateLimited("reject")
	public long reject() throws InterruptedException {
		return work();
	}

	@GetMapping("/gates/wait")
	@RateLimited(name = "wait", mode = RateLimitMode.WAIT)
	public long waitForATurn() throws InterruptedException {
		return work();
	}

	@GetMapping("/gates/semaphore")
	public long semaphore() throws InterruptedException {
		this.semaphore.enter();
		try {
			return work();
		}
		finally {
			this.semaphore.leave();
		}
	}

	private static long work() throws InterruptedException {
		long started = System.currentTimeMillis();
		Thread.sleep(WORK_MILLIS);
		return started;
	}

}
