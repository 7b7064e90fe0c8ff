package dev.ratelimit.compat;

import java.time.Duration;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.FilteredClassLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for limits on the methods of services.
 */
class ServiceTests {

	@ParameterizedTest
	@CsvSource({ "spring.aop.auto=true, true", "spring.aop.auto=true, false", "spring.aop.auto=false, true",
			"spring.aop.auto=false, false", "spring.aop.proxy-target-class=false, true",
			"spring.aop.proxy-target-class=false, false" })
	void limitsUnderEverySettingOfProxiesWithAndWithoutAspectj(String property, boolean aspectj) {
		ClassLoader classLoader = aspectj ? getClass().getClassLoader() : new FilteredClassLoader("org.aspectj");
		LimitedApplication.with(DefaultGreeter.class, Service.class)
			.withPropertyValues(property)
			.withClassLoader(classLoader)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Greeter greeter = context.getBean(Greeter.class);
				greeter.greet();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(greeter::greet)
					.returns("DefaultGreeter.greet", RateLimitExceededException::getBucketName);
				assertThatExceptionOfType(RateLimitExceededException.class)
					.isThrownBy(() -> exhaust(context.getBean(Service.class)));
			});
	}

	@Test
	void waits() {
		LimitedApplication.with(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			service.waiting();
			service.waiting();
			assertThat(context.getBean(ManualTimeSource.class).nanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
		});
	}

	@Test
	void givesEachKeyABucketOfItsOwn() {
		LimitedApplication.with(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			service.keyed("alice");
			service.keyed("bob");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.keyed("alice"));
		});
	}

	@Test
	void takesTokensByExpressionWhereTheConditionHolds() {
		LimitedApplication.with(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			service.sized(3);
			service.sized(-1);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.sized(3))
				.returns(3L, RateLimitExceededException::getTokens);
		});
	}

	@Test
	void callsTheFallback() {
		LimitedApplication.with(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			assertThat(service.withFallback("a")).isEqualTo("a");
			assertThat(service.withFallback("b")).isEqualTo("b instead of Service.withFallback");
		});
	}

	private static void exhaust(Service service) {
		service.limited();
		service.limited();
	}

	public interface Greeter {

		void greet();

	}

	public static class DefaultGreeter implements Greeter {

		@Override
		@RateLimited(rate = 1)
		public void greet() {
		}

	}

	public static class Service {

		@RateLimited(rate = 1)
		public void limited() {
		}

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT)
		public void waiting() {
		}

		@RateLimited(rate = 1, key = "#user")
		public void keyed(String user) {
		}

		@RateLimited(rate = 5, tokens = "#size", condition = "#size > 0")
		public void sized(int size) {
		}

		@RateLimited(rate = 1, fallback = "instead")
		public String withFallback(String text) {
			return text;
		}

		String instead(String text, RateLimitExceededException refusal) {
			return text + " instead of " + refusal.getBucketName();
		}

	}

}
