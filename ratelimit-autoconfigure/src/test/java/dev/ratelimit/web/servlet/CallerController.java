package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.concurrent.Callable;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.CallContext;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tells who is calling, and limits by it.
 */
@RestController
class CallerController {

	private final CallContext.Source source;

	private final CallerService service;

	CallerController(CallContext.Source source, CallerService service) {
		this.source = source;
		this.service = service;
	}

	@GetMapping("/client-ip")
	String clientIp() {
		return String.valueOf(this.source.current().clientIp());
	}

	@GetMapping("/principal")
	String principal() {
		return String.valueOf(this.source.current().principal());
	}

	@GetMapping("/remote-address")
	String remoteAddress(HttpServletRequest request) {
		return request.getRemoteAddr();
	}

	@GetMapping("/by-client-ip")
	@RateLimited(name = "byClientIp", rate = 1, per = "1h", capacity = 2, key = "clientIp")
	public List<String> byClientIp() {
		return List.of();
	}

	@GetMapping("/by-principal")
	@RateLimited(name = "byPrincipal", rate = 1, per = "1h", capacity = 2, key = "principal")
	public String byPrincipal() {
		return "value";
	}

	@GetMapping("/by-principal-or-client-ip")
	@RateLimited(name = "byEither", rate = 1, per = "1h", capacity = 2, key = "principal ?: clientIp")
	public String byPrincipalOrClientIp() {
		return "value";
	}

	@GetMapping("/by-header")
	@RateLimited(name = "byHeader", rate = 1, per = "1h", capacity = 2, key = "header('x-api-key')")
	public String byHeader() {
		return "value";
	}

	@GetMapping("/in-service")
	String inService() {
		this.service.limited();
		return "value";
	}

	@GetMapping("/callable-by-client-ip")
	Callable<String> callable() {
		return () -> {
			this.service.limited();
			return "value";
		};
	}

	@GetMapping("/off-thread")
	String offThread() throws InterruptedException {
		Thread thread = new Thread(this.service::limited);
		thread.start();
		thread.join();
		return "value";
	}

}
