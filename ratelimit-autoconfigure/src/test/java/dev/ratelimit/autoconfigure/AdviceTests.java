package dev.ratelimit.autoconfigure;

import java.time.Duration;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.TimeSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The advice in contexts with every setting of Spring's own proxying, with and without
 * AspectJ.
 */
class AdviceTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
				RateLimitAspectAutoConfiguration.class, AopAutoConfiguration.class))
		.withUserConfiguration(Services.class);

	@ParameterizedTest
	@CsvSource({ "spring.aop.auto=true, true", "spring.aop.auto=true, false", "spring.aop.auto=false, true",
			"spring.aop.auto=false, false", "spring.aop.proxy-target-class=false, true",
			"spring.aop.proxy-target-class=false, false" })
	void limits(String property, boolean aspectj) {
		ClassLoader classLoader = aspectj ? getClass().getClassLoader() : new FilteredClassLoader("org.aspectj");
		this.runner.withPropertyValues(property).withClassLoader(classLoader).run((context) -> {
			assertThat(context).hasNotFailed();
			Greeter greeter = context.getBean(Greeter.class);
			greeter.greet();
			greeter.greet();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(greeter::greet).satisfies((ex) -> {
				assertThat(ex.getBucketName()).isEqualTo("DefaultGreeter.greet");
				assertThat(ex.getRetryAfter()).isEqualTo(Duration.ofMillis(500));
			});
			Waiter waiter = context.getBean(Waiter.class);
			waiter.call();
			waiter.call();
			assertThat(context.getBean(ManualTimeSource.class).nanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
		});
	}

	public interface Greeter {

		void greet();

	}

	public static class DefaultGreeter implements Greeter {

		@Override
		@RateLimited(rate = 2)
		public void greet() {
		}

	}

	public static class Waiter {

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT)
		public void call() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Services {

		@Bean
		TimeSource timeSource() {
			return ManualTimeSource.autoAdvancing();
		}

		@Bean
		Greeter greeter() {
			return new DefaultGreeter();
		}

		@Bean
		Waiter waiter() {
			return new Waiter();
		}

	}

}
