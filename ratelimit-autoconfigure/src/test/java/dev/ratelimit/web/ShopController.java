package dev.ratelimit.web;

import dev.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ShopController {

	@GetMapping("/reports/{id}")
	@RateLimited("export")
	Mono<String> report(@PathVariable long id) {
		return Mono.just("report " + id);
	}

	@GetMapping("/batches")
	@RateLimited(name = "batch", tokens = "#size")
	Mono<String> batch(@RequestParam long size) {
		return Mono.just("batch of " + size);
	}

	@GetMapping("/orders")
	@RateLimited("burst")
	@RateLimited("hourly")
	Mono<String> orders() {
		return Mono.just("orders");
	}

	@GetMapping("/stock")
	@CrossOrigin(origins = "https://shop.example", exposedHeaders = { "Retry-After", "RateLimit", "RateLimit-Policy" })
	@RateLimited("stock")
	Mono<String> stock() {
		return Mono.just("3 left");
	}

	@GetMapping(path = "/prices", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	@RateLimited("prices")
	Flux<String> prices() {
		return Flux.just("100", "101");
	}

}
