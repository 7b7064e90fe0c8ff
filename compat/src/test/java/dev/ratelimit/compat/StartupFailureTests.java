package dev.ratelimit.compat;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Qualifier;
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

	@Test
	void explainsAMistakeInARoute(CapturedOutput output) {
		fails(WebApplicationType.REACTIVE, Correct.class, "--ratelimit.http.routes[0].path=/orders",
				"--ratelimit.http.routes[0].bucket=nothing", "--server.port=0");
		assertThat(output).contains("APPLICATION FAILED TO START", "ratelimit.http.routes[0].bucket", "nothing");
	}

	@Test
	void explainsAStoreWithoutItsConnection(CapturedOutput output) {
		fails(Correct.class, "--ratelimit.buckets.orders.rate=1", "--ratelimit.buckets.orders.store=nowhere");
		assertThat(output).contains("APPLICATION FAILED TO START", "ratelimit.buckets.orders.store", "nowhere");
	}

	@Test
	void explainsABucketThatIsNotThere(CapturedOutput output) {
		fails(Injected.class, "--ratelimit.buckets.orders.rate=1");
		assertThat(output).contains("APPLICATION FAILED TO START", "TokenBucket named 'ordres'",
				"Did you mean @Qualifier(\"orders\")?");
	}

	private static void fails(Class<?> bean, String... arguments) {
		fails(WebApplicationType.NONE, bean, arguments);
	}

	private static void fails(WebApplicationType type, Class<?> bean, String... arguments) {
		assertThatException().isThrownBy(() -> new SpringApplicationBuilder(LimitedApplication.class, bean).web(type)
			.registerShutdownHook(false)
			.run(arguments)
			.close());
	}

	static class Mistaken {

		@RateLimited(rate = -1)
		void call() {
		}

	}

	static class Injected {

		Injected(@Qualifier("ordres") TokenBucket bucket) {
		}

	}

	static class Correct {

		@RateLimited(rate = 1)
		void call() {
		}

	}

}
