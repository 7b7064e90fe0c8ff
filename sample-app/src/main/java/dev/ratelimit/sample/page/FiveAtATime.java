package dev.ratelimit.sample.page;

import java.util.concurrent.Semaphore;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/**
 * A semaphore: five calls at a time, whatever their rate, while up to fifty wait.
 */
@Component
final class FiveAtATime {

	private static final int PERMITS = 5;

	private static final int MAX_WAITERS = 50;

	private final Semaphore semaphore = new Semaphore(PERMITS, true);

	private final CallCount calls = new CallCount();

	void enter() throws InterruptedException {
		if (this.semaphore.getQueueLength() >= MAX_WAITERS) {
			this.calls.refused();
			throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "Too many calls wait");
		}
		this.semaphore.acquire();
		this.calls.accepted();
	}

	void leave() {
		this.semaphore.release();
	}

	GateState state() {
		return this.calls.state(this.semaphore.availablePermits(), PERMITS, null, this.semaphore.getQueueLength());
	}

}
