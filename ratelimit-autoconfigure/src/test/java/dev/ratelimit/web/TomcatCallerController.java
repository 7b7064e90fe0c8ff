package dev.ratelimit.web;

import dev.ratelimit.annotation.RateLimited;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Plain handler methods, which know their caller by the thread.
 */
@RestController
class TomcatCallerController {

	@GetMapping("/ip-plain")
	@RateLimited(name = "ip", rate = 1, key = "clientIp")
	String clientIp() {
		return "ip";
	}

	@GetMapping("/principal-plain")
	@RateLimited(name = "principal", rate = 1, key = "principal")
	String principal() {
		return "principal";
	}

	@GetMapping("/header-plain")
	@RateLimited(name = "header", rate = 1, key = "header('X-Api-Key')")
	String header() {
		return "header";
	}

}
