package dev.ratelimit.aspect;

import java.util.regex.Pattern;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for limits that ask who is calling where no request is.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingCallerTests {

	private static final Pattern WARNING = Pattern.compile("The rate limit '(\\w+)' of \\S+ asks who is calling");

	private CallContext caller;

	private final ApplicationContextRunner runner = Limits.runner()
		.withBean(CallContext.Source.class, () -> () -> this.caller)
		.withBean(Job.class);

	@Test
	void callsOutsideARequestShareTheBucketWithoutAKeyAndAreWarnedOfOnce(CapturedOutput output) {
		this.runner.run((context) -> {
			Job job = context.getBean(Job.class);
			for (int call = 0; call < 3; call++) {
				job.byClientIp();
				job.byPrincipal();
				job.byHeader();
			}
			RateLimiterRegistry registry = context.getBean(RateLimiterRegistry.class);
			for (String name : new String[] { "ip", "name", "header" }) {
				assertThat(registry.get(name).bucket().availableTokens()).as(name).isEqualTo(7);
			}
			assertThat(WARNING.matcher(output).results().map((warning) -> warning.group(1))).containsExactly("ip",
					"name", "header");
		});
	}

	@Test
	void onlyTheLimitThatAsksIsWarnedOf(CapturedOutput output) {
		this.runner.run((context) -> {
			context.getBean(Job.class).several();
			assertThat(WARNING.matcher(output).results().map((warning) -> warning.group(1))).containsExactly("asking");
		});
	}

	@Test
	void anUnknownCallerWithinARequestIsNothingToWarnOf(CapturedOutput output) {
		this.caller = new RecordingCallContext(null);
		this.runner.run((context) -> {
			context.getBean(Job.class).byClientIp();
			context.getBean(Job.class).byPrincipal();
			assertThat(output).doesNotContain("asks who is calling");
		});
	}

	static class Job {

		@RateLimited(name = "ip", rate = 10, key = "clientIp")
		void byClientIp() {
		}

		@RateLimited(name = "name", rate = 10, key = "principal")
		void byPrincipal() {
		}

		@RateLimited(name = "header", rate = 10, key = "header('X-Api-Key')")
		void byHeader() {
		}

		@RateLimited(name = "before", rate = 10)
		@RateLimited(name = "asking", rate = 10, condition = "clientIp == null")
		@RateLimited(name = "after", rate = 10, key = "method.name")
		void several() {
		}

	}

}
