package dev.ratelimit.sample;

import java.util.Map;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitExceededException;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints whose limits depend on who calls, and on what a call costs.
 */
@RestController
class ReportController {

	@GetMapping("/api/reports")
	@RateLimited(name = "gold", key = "#user", condition = "#plan == 'gold'")
	@RateLimited(name = "silver", key = "#user", condition = "#plan != 'gold'", fallback = "cached")
	public Map<String, String> report(@RequestParam String user, @RequestParam String plan) {
		return Map.of("report", "made for " + user);
	}

	Map<String, String> cached(String user, String plan, RateLimitExceededException refusal) {
		return Map.of("report", "of yesterday");
	}

	@GetMapping("/api/export")
	@RateLimited(name = "export", rate = 100, per = "1m", tokens = "#rows", condition = "#rows > 0")
	@RateLimited(name = "export-daily", rate = 1000, per = "1d", tokens = "#rows", condition = "#rows > 0")
	public String export(@RequestParam int rows) {
		return "row\n".repeat(Math.max(0, rows));
	}

}
