package dev.ratelimit.compat;

import dev.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tests that a slice of WebFlux limits and answers as the whole application does.
 */
@WebFluxSlice
class WebFluxSliceTests {

	@Autowired
	private WebTestClient client;

	@Test
	void limitsAndAnswersARefusal() {
		this.client.get().uri("/limited").exchange().expectStatus().isOk();
		this.client.get()
			.uri("/limited")
			.exchange()
			.expectStatus()
			.isEqualTo(429)
			.expectHeader()
			.valueEquals("Content-Type", "application/problem+json")
			.expectHeader()
			.valueEquals("Retry-After", "86400");
	}

	@RestController
	static class LimitedController {

		@GetMapping("/limited")
		@RateLimited(rate = 1, per = "1d")
		Mono<String> limited() {
			return Mono.just("passed");
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(LimitedController.class)
	static class Application {

	}

}
