package dev.ratelimit.web.reactive;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.annotation.RateLimited;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Handler methods that pass once for each caller, and are called whether or not the
 * caller is known.
 */
@RestController
class PlainCallerController {

	@GetMapping("/plain-principal")
	@RateLimited(name = "plain-principal", rate = 1, per = "1h", key = "principal")
	String plain(ServerWebExchange exchange) {
		return "served";
	}

	@GetMapping("/future-principal")
	@RateLimited(name = "future-principal", rate = 1, per = "1h", key = "principal")
	CompletableFuture<String> future(ServerHttpRequest request) {
		return CompletableFuture.completedFuture("served");
	}

}
