package dev.ratelimit.web.reactive;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a slice of WebFlux limits and answers as the whole application does.
 */
@WebFluxTest
class WebFluxSliceTests {

	@Autowired
	private WebTestClient client;

	@Test
	void limitsAndAnswersARefusal() {
		this.client.get().uri("/client").exchange().expectStatus().isOk().expectHeader().exists("RateLimit");
		EntityExchangeResult<byte[]> refused = this.client.get()
			.uri("/client")
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.TOO_MANY_REQUESTS)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.returnResult();
		assertThat(new String(refused.getResponseBody(), StandardCharsets.US_ASCII))
			.contains("\"instance\":\"/client\"");
	}

	@Test
	void answersAHeadRequestWithoutBody() {
		this.client.head().uri("/mono/EXCEEDED").exchange().expectStatus().isEqualTo(429).expectBody().isEmpty();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ CallerController.class, FailingController.class })
	static class Application {

	}

}
