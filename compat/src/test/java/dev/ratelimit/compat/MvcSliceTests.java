package dev.ratelimit.compat;

import dev.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a slice of Spring MVC limits and answers as the whole application does.
 */
@MvcSlice
class MvcSliceTests {

	@Autowired
	private MockMvcTester mvc;

	@MockitoBean
	private LimitedService service;

	@Test
	void limitsControllersWhoseServicesAreMocks() {
		assertThat(this.mvc.get().uri("/limited")).hasStatusOk();
		assertThat(this.mvc.get().uri("/limited")).hasStatus(429)
			.hasContentType("application/problem+json")
			.hasHeader("Retry-After", "86400");
		assertThat(this.service.call()).isNull();
	}

	static class LimitedService {

		@RateLimited(rate = 1)
		String call() {
			return "real";
		}

	}

	@RestController
	static class LimitedController {

		@GetMapping("/limited")
		@RateLimited(rate = 1, per = "1d")
		String limited() {
			return "passed";
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(LimitedController.class)
	static class Application {

	}

}
