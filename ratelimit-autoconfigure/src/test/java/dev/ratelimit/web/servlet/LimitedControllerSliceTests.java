package dev.ratelimit.web.servlet;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that limits apply in a slice of Spring MVC, and that a mock in the place of a
 * limited service does not end startup.
 */
@WebMvcTest
class LimitedControllerSliceTests {

	@Autowired
	private MockMvcTester mvc;

	@MockitoBean
	private LimitedService service;

	@Test
	void limitsControllersWhoseServicesAreMocks() {
		assertThat(this.mvc.get().uri("/limited")).hasStatusOk();
		assertThat(this.mvc.get().uri("/limited")).hasStatus(429).hasHeader("Retry-After", "1");
		assertThat(this.service.call()).isNull();
	}

	@Test
	void countsOneCallForARequestThatPassesSeveralMethodsOfTheController() {
		for (int request = 1; request <= 3; request++) {
			assertThat(this.mvc.get().uri("/limited-class")).hasStatusOk().bodyText().isEqualTo("passed model");
		}
		assertThat(this.mvc.get().uri("/limited-class")).hasStatus(418).bodyText().isEqualTo("handled by controller");
		assertThat(this.mvc.get().uri("/limited-class")).hasStatus(418).bodyText().isEqualTo("handled by controller");
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
		@RateLimited(rate = 1)
		String limited() {
			return "passed";
		}

	}

	@RestController
	@RateLimited(rate = 1, capacity = 3)
	public static class LimitedClassController {

		@InitBinder
		public void bind(WebDataBinder binder) {
			binder.setDisallowedFields("nothing");
		}

		@ModelAttribute("model")
		public String model() {
			return "model";
		}

		@GetMapping("/limited-class")
		public String limited(@ModelAttribute("model") String model) {
			return "passed " + model;
		}

		@ExceptionHandler(RateLimitExceededException.class)
		@ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
		public String handle() {
			return "handled by controller";
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ LimitedController.class, LimitedClassController.class })
	static class Application {

		@Bean
		ManualTimeSource timeSource() {
			return new ManualTimeSource();
		}

	}

}
