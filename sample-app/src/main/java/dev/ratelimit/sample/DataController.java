package dev.ratelimit.sample;

import java.util.Map;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitMode;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Two endpoints with the same limit: one refuses what is too much, the other lets it
 * wait.
 */
@RestController
class DataController {

	@GetMapping("/api/data")
	@RateLimited(rate = 100)
	public Map<String, String> data() {
		return Map.of("data", "at once or not at all");
	}

	@GetMapping("/api/data-queued")
	@RateLimited(rate = 100, mode = RateLimitMode.WAIT, maxWait = "2s")
	public Map<String, String> dataQueued() {
		return Map.of("data", "sooner or later");
	}

}
