package dev.ratelimit.compat;

import dev.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for what a user reads whose application does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartupFailureTests {

	@Test
	void explainsAMistakeInAnAnnotation(CapturedOutput output) {
		fails(Mistaken.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "Mistaken.call", "rate");
	}

	@Test
	void explainsAnUnknownProperty(CapturedOutput output) {
		fails(Correct.class, "--ratelimit.buckets.orders.rat=1");
		assertThat(output).contains("APPLICATION FAILED TO START", "ratelimit.buckets.orders.rat", "rate");
	}

	private static void fails(Class<?> bean, String... arguments) {
		assertThatException()
			.isThrownBy(() -> new SpringApplicationBuilder(LimitedApplication.class, bean).web(WebApplicationType.NONE)
				.registerShutdownHook(false)
				.run(arguments)
				.close());
	}

	static class Mistaken {

		@RateLimited(rate = -1)
		void call() {
		}

	}

	static class Correct {

		@RateLimited(rate = 1)
		void call() {
		}

	}

}
