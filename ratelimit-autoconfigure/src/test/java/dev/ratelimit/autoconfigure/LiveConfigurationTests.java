package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationEvent;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Properties that change at run time.
 */
@ExtendWith(OutputCaptureExtension.class)
class LiveConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
		.withBean(TimeSource.class, ManualTimeSource::new)
		.withBean(Api.class)
		.withPropertyValues("ratelimit.buckets.orders.rate=10", "ratelimit.buckets.orders.capacity=20",
				"ratelimit.buckets.other.rate=3");

	@Test
	void appliesAChangedLimitAtOnceAndKeepsTokens() {
		this.runner.run((context) -> {
			registry(context).get("orders").bucket().tryAcquire(15);
			change(context, Map.of("ratelimit.buckets.orders.rate", "5", "ratelimit.buckets.orders.per", "1m",
					"ratelimit.buckets.orders.capacity", "40"));
			assertThat(limit(context, "orders")).isEqualTo(RateLimit.of(5, Duration.ofMinutes(1), 40));
			assertThat(registry(context).get("orders").bucket().availableTokens()).isEqualTo(5);
			assertThat(limit(context, "other")).isEqualTo(RateLimit.perSecond(3));
		});
	}

	@Test
	void appliesShadowMode() {
		this.runner.run((context) -> {
			change(context, Map.of("ratelimit.buckets.orders.shadow", "true"));
			assertThat(registry(context).get("orders").settings().shadow()).isTrue();
			assertThat(registry(context).get("other").settings().shadow()).isFalse();
		});
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.buckets[annotated].rate, 7", "ratelimit.buckets.ANNO-TATED.rate, 7" })
	void tunesALimitThatAnAnnotationDeclares(String property, double rate) {
		this.runner.run((context) -> {
			change(context, Map.of(property, rate));
			assertThat(limit(context, "annotated")).isEqualTo(RateLimit.of(rate, Duration.ofMinutes(1), 7));
			change(context, Map.of());
			assertThat(limit(context, "annotated")).isEqualTo(RateLimit.of(2, Duration.ofMinutes(1), 2));
		});
	}

	@ParameterizedTest
	@CsvSource({ "rate, many", "rate, -1", "capacity, 0", "per, soon", "shadow, perhaps", "initial-tokens, 21",
			"max-waiters, -1" })
	void changesNothingForAValueThatDoesNotValidateAndLogsItsPath(String property, String value,
			CapturedOutput output) {
		this.runner.run((context) -> {
			String path = "ratelimit.buckets.orders." + property;
			change(context,
					Map.of("ratelimit.buckets.orders.mode", "wait", path, value, "ratelimit.buckets.other.rate", "4"));
			assertThat(limit(context, "orders")).isEqualTo(RateLimit.of(10, Duration.ofSeconds(1), 20));
			assertThat(output).contains(path).contains(value);
			assertThat(limit(context, "other")).isEqualTo(RateLimit.perSecond(4));
		});
	}

	@Test
	void changesNothingForAMisspeltProperty(CapturedOutput output) {
		this.runner.run((context) -> {
			change(context, Map.of("ratelimit.buckets.orders.rte", "5", "ratelimit.buckets.orders.rate", "5"));
			assertThat(limit(context, "orders").rate()).isEqualTo(10);
			assertThat(output).contains("ratelimit.buckets.orders.rte");
		});
	}

	@Test
	void saysWhatTakesARestart(CapturedOutput output) {
		this.runner.run((context) -> {
			change(context, Map.of("ratelimit.buckets.orders.max-keys", "5"));
			assertThat(output).containsOnlyOnce("takes a restart").contains("ratelimit.buckets.orders");
		});
	}

	@Test
	void leavesAChangeMadeByOtherMeansWhereNothingNewIsSaid() {
		this.runner.run((context) -> {
			registry(context).get("orders").change(RateLimit.perSecond(99));
			registry(context).get("orders").shadow(true);
			change(context, Map.of("ratelimit.buckets.other.rate", "4"));
			assertThat(limit(context, "orders")).isEqualTo(RateLimit.perSecond(99));
			assertThat(registry(context).get("orders").settings().shadow()).isTrue();
		});
	}

	@Test
	void leavesAChangeMadeByOtherMeansWhereCodeIsSeenLater() {
		this.runner.run((context) -> {
			registry(context).get("orders").change(RateLimit.perSecond(99));
			Late late = (Late) context.getAutowireCapableBeanFactory().initializeBean(new Late(), "late");
			late.call();
			assertThat(limit(context, "orders")).isEqualTo(RateLimit.perSecond(99));
		});
	}

	@Test
	void doesNothingOnOtherEvents() {
		this.runner.run((context) -> {
			set(context, Map.of("ratelimit.buckets.orders.rate", "5"));
			context.publishEvent(new ApplicationEvent(this) {
			});
			assertThat(limit(context, "orders").rate()).isEqualTo(10);
		});
	}

	private static void change(AssertableApplicationContext context, Map<String, Object> properties) {
		set(context, properties);
		context.publishEvent(new EnvironmentChangeEvent(Set.copyOf(properties.keySet())));
	}

	private static void set(AssertableApplicationContext context, Map<String, Object> properties) {
		context.getEnvironment().getPropertySources().remove("live");
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("live", properties));
	}

	private static RateLimiterRegistry registry(AssertableApplicationContext context) {
		return context.getBean(RateLimiterRegistry.class);
	}

	private static RateLimit limit(AssertableApplicationContext context, String name) {
		return registry(context).get(name).settings().limit();
	}

	static class Api {

		@RateLimited(name = "annotated", rate = 2, per = "1m")
		void annotated() {
		}

	}

	static class Late {

		@RateLimited("orders")
		void call() {
		}

	}

}
