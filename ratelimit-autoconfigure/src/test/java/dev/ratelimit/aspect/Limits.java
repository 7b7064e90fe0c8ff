package dev.ratelimit.aspect;

import java.util.List;
import java.util.stream.Collectors;

import dev.ratelimit.autoconfigure.RateLimitAspectAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimiterRegistry;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Contexts with the advice on a clock of the test's, and what is read off their limits.
 */
final class Limits {

	/**
	 * More calls than any bucket of a test holds tokens.
	 */
	static final int UNLIMITED = 20;

	private Limits() {
	}

	static AutoConfigurations autoConfigurations() {
		return AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class);
	}

	static ApplicationContextRunner runner(ManualTimeSource time) {
		return new ApplicationContextRunner().withConfiguration(autoConfigurations())
			.withBean("timeSource", ManualTimeSource.class, () -> time);
	}

	static ApplicationContextRunner runner() {
		return runner(new ManualTimeSource());
	}

	/**
	 * Counts the calls that pass before one is refused: on a clock that stands still,
	 * what the bucket held.
	 */
	static int passes(Runnable call) {
		for (int passed = 0; passed < UNLIMITED; passed++) {
			try {
				call.run();
			}
			catch (RateLimitExceededException ex) {
				return passed;
			}
		}
		return UNLIMITED;
	}

	static RateLimitExceededException refusal(Runnable call) {
		RateLimitExceededException refusal = catchThrowableOfType(RateLimitExceededException.class, call::run);
		assertThat(refusal).as("refusal").isNotNull();
		return refusal;
	}

	/**
	 * Returns the name of the bucket that refuses, once it is empty.
	 */
	static String refusingBucket(Runnable call) {
		passes(call);
		return refusal(call).getBucketName();
	}

	static long available(BeanFactory context, String name) {
		return context.getBean(RateLimiterRegistry.class).get(name).bucket().availableTokens();
	}

	static long available(BeanFactory context, String name, String key) {
		return context.getBean(RateLimiterRegistry.class).get(name).bucket(key).availableTokens();
	}

	/**
	 * Returns what the one report says with which startup ended.
	 */
	static List<Fault> faults(ApplicationContextAssertProvider<?> context) {
		Throwable failure = context.getStartupFailure();
		assertThat(failure).as("startup failure").isNotNull();
		while (!(failure instanceof RateLimitConfigurationException) && failure.getCause() != null) {
			failure = failure.getCause();
		}
		assertThat(failure).isInstanceOf(RateLimitConfigurationException.class);
		return ((RateLimitConfigurationException) failure).getFaults();
	}

	static String report(ApplicationContextAssertProvider<?> context) {
		return faults(context).stream()
			.map((fault) -> fault.problem() + "\n" + fault.remedy())
			.collect(Collectors.joining("\n"));
	}

}
