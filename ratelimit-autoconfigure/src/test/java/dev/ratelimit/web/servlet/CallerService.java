package dev.ratelimit.web.servlet;

import dev.ratelimit.annotation.RateLimited;

import org.springframework.stereotype.Service;

/**
 * Limits by the caller below a controller.
 */
@Service
class CallerService {

	@RateLimited(name = "service", rate = 1, per = "1h", capacity = 2, key = "clientIp")
	public void limited() {
	}

}
