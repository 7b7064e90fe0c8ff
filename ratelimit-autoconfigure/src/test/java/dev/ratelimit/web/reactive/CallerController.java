package dev.ratelimit.web.reactive;

import dev.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handler methods that pass once for each caller.
 */
@RestController
class CallerController {

	@GetMapping("/client")
	@RateLimited(name = "client", rate = 1, per = "1h", key = "clientIp")
	Mono<String> client() {
		return Mono.just("served");
	}

	@GetMapping("/principal")
	@RateLimited(name = "principal", rate = 1, per = "1h", key = "principal")
	Mono<String> principal() {
		return Mono.just("served");
	}

	@GetMapping("/principal-or-client")
	@RateLimited(name = "principal-or-client", rate = 1, per = "1h", key = "principal ?: header('X-Client')")
	Mono<String> principalOrClient() {
		return Mono.just("served");
	}

	@GetMapping("/root")
	@RateLimited(name = "root", rate = 1, per = "1h", key = "#root.principal")
	Mono<String> root() {
		return Mono.just("served");
	}

	@GetMapping("/header")
	@RateLimited(name = "header", rate = 1, per = "1h", key = "header('X-Api-Key')")
	Mono<String> header() {
		return Mono.just("served");
	}

}
