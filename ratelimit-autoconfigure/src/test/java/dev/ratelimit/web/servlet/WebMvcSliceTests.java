package dev.ratelimit.web.servlet;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a slice of Spring MVC answers as the whole application does.
 */
@WebMvcTest
class WebMvcSliceTests {

	@Autowired
	private MockMvcTester mvc;

	@Test
	void answersARefusal() {
		assertThat(this.mvc.get().uri("/plain/EXCEEDED")).hasStatus(429)
			.hasContentType("application/problem+json")
			.hasHeader("Retry-After", "45")
			.hasHeader("RateLimit", "\"export\";r=0;t=45")
			.bodyText()
			.contains("\"instance\":\"/plain/EXCEEDED\"");
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(FailingController.class)
	static class Application {

	}

}
