package dev.ratelimit.web;

import dev.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Mono;

/**
 * A service that is limited for each caller of the controller above it.
 */
class CallerService {

	@RateLimited(name = "ip", rate = 1, key = "clientIp")
	Mono<String> clientIp() {
		return Mono.just("service");
	}

}
