package dev.ratelimit.web;

import dev.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Mono;

/**
 * A limited service below a controller.
 */
class AnswerService {

	@RateLimited(name = "export", rate = 5, per = "5m")
	String text() {
		return "service";
	}

	@RateLimited(name = "export", rate = 5, per = "5m")
	Mono<String> mono() {
		return Mono.just("service");
	}

}
