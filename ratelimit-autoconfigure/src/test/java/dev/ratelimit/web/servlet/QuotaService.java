package dev.ratelimit.web.servlet;

import java.time.Duration;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimit;

import org.springframework.stereotype.Service;

/**
 * Limited below the controller.
 */
@Service
class QuotaService {

	@RateLimited("five")
	public void charged() {
	}

	@RateLimited(name = "other", rate = 1, per = "1h", capacity = 100)
	public void other() {
	}

	@RateLimited(name = "one", rate = 1, per = "2s", capacity = 1)
	public void one() {
	}

	static RateLimit limit() {
		return RateLimit.of(1, Duration.ofSeconds(7), 1);
	}

}
