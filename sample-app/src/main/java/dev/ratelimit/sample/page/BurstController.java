package dev.ratelimit.sample.page;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Sends bursts, for a browser has no more than six connections to a server.
 */
@RestController
class BurstController {

	private static final Set<String> GATES = Set.of("reject", "wait", "semaphore");

	private static final int MAX_CALLS = 50;

	private final AtomicLong bursts = new AtomicLong();

	private final Caller caller;

	BurstController(Caller caller) {
		this.caller = caller;
	}

	@PostMapping("/bursts/{gate}")
	@ResponseStatus(HttpStatus.ACCEPTED)
	public Burst send(@PathVariable String gate, @RequestParam int calls) {
		if (!GATES.contains(gate)) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND);
		}
		if (calls < 1 || calls > MAX_CALLS) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "A burst has 1 to %d calls".formatted(MAX_CALLS));
		}
		Burst burst = new Burst(this.bursts.incrementAndGet(), gate, calls);
		this.caller.send(burst);
		return burst;
	}

}
