package dev.ratelimit.sample;

import java.util.Map;

import dev.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * An endpoint whose limit is set in {@code application.yml} alone.
 */
@RestController
class SearchController {

	@GetMapping("/api/search")
	@RateLimited("search")
	public Map<String, String> search(@RequestParam String text) {
		return Map.of("found", text);
	}

}
