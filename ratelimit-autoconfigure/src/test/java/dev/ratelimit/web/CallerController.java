package dev.ratelimit.web;

import dev.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handler methods with a bucket for each caller, of one token that does not come back.
 */
@RestController
class CallerController {

	private final CallerService service;

	CallerController(CallerService service) {
		this.service = service;
	}

	@GetMapping("/ip")
	@RateLimited(name = "ip", rate = 1, key = "clientIp")
	Mono<String> clientIp() {
		return Mono.just("ip");
	}

	@GetMapping("/ip-service")
	Mono<String> serviceBelow() {
		return this.service.clientIp();
	}

	@GetMapping("/principal")
	@RateLimited(name = "principal", rate = 1, key = "principal")
	Mono<String> principal() {
		return Mono.just("principal");
	}

	@GetMapping("/principal-or-ip")
	@RateLimited(name = "principal-or-ip", rate = 1, key = "principal ?: clientIp")
	Mono<String> principalOrClientIp() {
		return Mono.just("principal-or-ip");
	}

	@GetMapping("/header")
	@RateLimited(name = "header", rate = 1, key = "header('X-Api-Key')")
	Mono<String> header() {
		return Mono.just("header");
	}

	@GetMapping("/condition")
	@RateLimited(name = "condition", rate = 1, condition = "header('X-Internal') == null && principal != 'root'")
	Mono<String> condition() {
		return Mono.just("condition");
	}

}
