package dev.ratelimit.web;

import dev.ratelimit.annotation.RateLimited;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * Plain handler methods, which know their caller by a parameter.
 */
@RestController
class NettyCallerController {

	@GetMapping("/ip-plain")
	@RateLimited(name = "ip", rate = 1, key = "clientIp")
	String clientIp(ServerHttpRequest request) {
		return "ip";
	}

	@GetMapping("/principal-plain")
	@RateLimited(name = "principal", rate = 1, key = "principal")
	String principal(ServerWebExchange exchange) {
		return "principal";
	}

	@GetMapping("/header-plain")
	@RateLimited(name = "header", rate = 1, key = "header('X-Api-Key')")
	String header(ServerWebExchange exchange) {
		return "header";
	}

}
