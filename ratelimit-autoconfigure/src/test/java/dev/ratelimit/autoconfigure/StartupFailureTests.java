package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a user reads about a mistake that ends startup.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartupFailureTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class));

	@TempDir
	private Path directory;

	@Test
	void aNameThatNobodyConfigured() {
		this.runner.withBean(NameOnly.class).run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).contains("'orders'", "NameOnly", "place");
			assertThat(analysis.getAction()).contains("ratelimit.buckets.orders.rate")
				.contains("@RateLimited", "rate =");
		});
	}

	@Test
	void aNameThatIsNearlyConfigured() {
		this.runner.withBean(NameOnly.class)
			.withPropertyValues("ratelimit.buckets.ordres.rate=3", "ratelimit.buckets.mails.rate=3")
			.run((context) -> assertThat(StartupFailures.analyze(context).getAction())
				.startsWith("Did you mean the rate limit 'ordres'? Otherwise: Set ratelimit.buckets.orders.rate"));
	}

	@Test
	void aBucketWithoutARateThatIsNearlyDeclared() {
		this.runner.withBean(Good.class)
			.withPropertyValues("ratelimit.buckets.ordres.capacity=3")
			.run((context) -> assertThat(StartupFailures.analyze(context).getAction())
				.startsWith("Did you mean the rate limit 'orders'?"));
	}

	@Test
	void anAnnotationThatSaysNothing() {
		this.runner.withBean(Empty.class).run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).contains("Empty.place");
			assertThat(analysis.getAction()).contains("[Empty.place]");
		});
	}

	@Test
	void aBucketWithoutARate() {
		this.runner.withPropertyValues("ratelimit.buckets.orders.capacity=3").run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).contains("ratelimit.buckets.orders", "no rate");
			assertThat(analysis.getAction()).contains("ratelimit.buckets.orders.rate");
		});
	}

	@ParameterizedTest
	@CsvSource({ "rate, 0", "rate, -1", "rate, NaN", "rate, Infinity", "rate, -Infinity", "rate, 1e10", "rate, many",
			"rate, 1e-300", "capacity, 0", "capacity, -1", "capacity, 1.5", "capacity, 9007199254740993",
			"capacity, many", "per, 0s", "per, -1s", "per, soon", "per, 3651000d", "initial-tokens, -1",
			"initial-tokens, 21", "initial-tokens, few", "max-wait, -1s", "max-wait, long", "max-waiters, -1",
			"max-waiters, few", "max-keys, 0", "max-keys, -1", "max-keys, few", "mode, sleep", "enabled, perhaps" })
	void aPropertyOutOfRange(String property, String value) {
		this.runner
			.withPropertyValues("ratelimit.buckets.orders.rate=10", "ratelimit.buckets.orders.capacity=20",
					"ratelimit.buckets.orders." + property + "=" + value)
			.run((context) -> {
				FailureAnalysis analysis = StartupFailures.analyze(context);
				assertThat(normal(analysis.getDescription())).contains("ratelimit.buckets.orders." + property);
				assertThat(analysis.getDescription()).containsAnyOf(value, inOtherWords(value));
			});
	}

	@ParameterizedTest
	@CsvSource({ "-1s", "soon" })
	void theDefaultMaxWaitOutOfRange(String value) {
		this.runner.withPropertyValues("ratelimit.max-wait=" + value).run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(normal(analysis.getDescription())).contains("ratelimit.max-wait");
			assertThat(analysis.getDescription()).containsAnyOf(value, inOtherWords(value));
		});
	}

	@Test
	void aPropertyOutOfRangeAtADottedName() {
		this.runner.withPropertyValues("ratelimit.buckets[OrderService.place].rate=-1")
			.run((context) -> assertThat(StartupFailures.analyze(context).getDescription())
				.contains("ratelimit.buckets[OrderService.place].rate", "-1"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "[-]", "[_-]", "[ ]" })
	void aBucketWhoseNameHasNoLettersAndDigits(String name) {
		this.runner.withPropertyValues("ratelimit.buckets.%s.rate=1".formatted(name)).run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).contains("ratelimit.buckets", "no name");
			assertThat(analysis.getAction()).contains("letters or digits");
		});
	}

	@Test
	void aPropertyOutOfRangeBesideAnAnnotation() {
		this.runner.withBean(Good.class)
			.withPropertyValues("ratelimit.buckets.orders.rate=-1")
			.run((context) -> assertThat(StartupFailures.analyze(context).getDescription())
				.contains("ratelimit.buckets.orders.rate", "-1"));
	}

	@Test
	void anEnvironmentVariableOutOfRange() {
		this.runner.withBean(Good.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
						new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
								Map.of("RATELIMIT_BUCKETS_ORDERS_RATE", "-1"))))
			.run((context) -> assertThat(StartupFailures.analyze(context).getDescription())
				.contains("ratelimit.buckets.orders.rate", "-1"));
	}

	@ParameterizedTest
	@ValueSource(classes = { ZeroRate.class, NegativeRate.class, InfiniteRate.class, HugeRate.class,
			NegativeInfiniteRate.class, ZeroCapacity.class, NegativeCapacity.class, HugeCapacity.class, ZeroPer.class,
			NegativePer.class, UnparsablePer.class, UnitlessPer.class, UnresolvablePer.class, HugePer.class,
			NegativeMaxWait.class, UnparsableMaxWait.class, UnresolvableMaxWait.class, UnitlessMaxWait.class })
	void anAnnotationOutOfRange(Class<?> type) {
		String value = type.getAnnotation(Value.class).value();
		String attribute = type.getAnnotation(Value.class).attribute();
		this.runner.withBean(type).run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).contains(type.getSimpleName(), "place", attribute, value);
		});
	}

	@Test
	void aPeriodWithoutAUnitIsToldToHaveOne() {
		this.runner.withBean(UnitlessPer.class)
			.run((context) -> assertThat(StartupFailures.explain(context)).contains("no unit", "\"30s\""));
	}

	@Test
	void anUnresolvablePlaceholderIsNamed() {
		this.runner.withBean(UnresolvablePer.class)
			.run((context) -> assertThat(StartupFailures.explain(context)).contains("${orders.period}"));
	}

	@Test
	void aPlaceholderIsResolved() {
		this.runner.withBean(UnresolvablePer.class)
			.withPropertyValues("orders.period=1m")
			.run((context) -> assertThat(
					context.getBean(RateLimiterRegistry.class).get("UnresolvablePer.place").bucket().limit().per())
				.hasMinutes(1));
	}

	@ParameterizedTest
	@ValueSource(classes = { OtherRate.class, OtherPer.class, OtherCapacity.class })
	void oneNameDefinedTwiceDifferently(Class<?> other) {
		String attribute = other.getAnnotation(Value.class).attribute();
		this.runner.withBean(Good.class).withBean(other).run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).contains("'orders'", "Good", other.getSimpleName(), attribute,
					other.getAnnotation(Value.class).value());
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { NameOnly.class, SameAgain.class, OtherCallSite.class })
	void oneNameDefinedTwiceAlikeIsNoMistake(Class<?> other) {
		this.runner.withBean(Good.class).withBean(other).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void twoBeansOfOneClassShareTheirLimit() {
		this.runner.withBean("first", Named.class).withBean("second", Named.class).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean("first", Named.class).place();
			assertThat(context.getBean(RateLimiterRegistry.class).get("Named.place").bucket().availableTokens())
				.isZero();
		});
	}

	@Test
	void overloadsWithOneDefaultName() {
		this.runner.withBean(Overloaded.class).run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).contains("'Overloaded.place'", "place(String)", "place(Long)");
			assertThat(analysis.getAction()).contains("name");
		});
	}

	@Test
	void overloadsWithNamesAreNoMistake() {
		this.runner.withBean(NamedOverloads.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void classesOfOneSimpleNameWithOneDefaultName() {
		this.runner.withBean(One.Service.class).withBean(Other.Service.class).run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).contains("'Service.place'", One.Service.class.getName(),
					Other.Service.class.getName());
			assertThat(analysis.getAction()).contains("name");
		});
	}

	@Test
	void severalMistakesAreReportedTogether() {
		this.runner.withBean(NameOnly.class)
			.withBean(ZeroRate.class)
			.withPropertyValues("ratelimit.buckets.mails.rate=-3")
			.run((context) -> assertThat(StartupFailures.explain(context)).contains("NameOnly", "ZeroRate",
					"ratelimit.buckets.mails.rate"));
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.bukets.orders.rate, ratelimit.buckets",
			"ratelimit.buckets.orders.rte, ratelimit.buckets.orders.rate",
			"'ratelimit.buckets[OrderService.place].rte', '[OrderService.place].rate'",
			"ratelimit.buckets.orders.capasity, capacity", "ratelimit.buckets.orders.maxwaits, max-wait",
			"ratelimit.http.heders, ratelimit.http.headers",
			"ratelimit.http.client-ip.trusted, ratelimit.http.client-ip.trusted-proxies",
			"'ratelimit.http.routes[0].pth', 'ratelimit.http.routes[0].path'", "ratelimit.enable, enabled",
			"ratelimit.max-wai, max-wait", "ratelimit.ordr, order", "ratelimit.rate, ratelimit.buckets.<name>.rate?",
			"ratelimit.capacity, ratelimit.buckets.<name>.capacity?",
			"ratelimit.orders.rate, ratelimit.buckets.orders.rate?", "ratelimit.headers, ratelimit.http.headers?",
			"ratelimit.timeout, ratelimit.redis.timeout?",
			"ratelimit.trusted-proxies, ratelimit.http.client-ip.trusted-proxies?",
			"ratelimit.htp.headers, ratelimit.http?", "ratelimit.nonsense, ratelimit." })
	void aMisspeltProperty(String property, String meant) {
		this.runner.withPropertyValues("ratelimit.buckets.orders.rate=1", property + "=3").run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).containsIgnoringCase(property);
			assertThat(analysis.getAction()).containsPattern("Did you mean [^?]*" + Pattern.quote(meant));
		});
	}

	@Test
	void aKeyWithADotWithoutBrackets() {
		this.runner
			.withPropertyValues("ratelimit.buckets.orders.rate=1", "ratelimit.buckets.orders.keys.10.0.0.1.rate=3")
			.run((context) -> assertThat(StartupFailures.analyze(context).getAction())
				.contains("ratelimit.buckets.orders.keys[10.0.0.1].rate", "bracket"));
	}

	@Test
	void aListThatReplacesALongerOneIsNoMistake() {
		this.runner.withInitializer((context) -> {
			MutablePropertySources sources = context.getEnvironment().getPropertySources();
			sources.addFirst(new MapPropertySource("profile",
					Map.of("ratelimit.http.routes[0].path", "/only/**", "ratelimit.http.routes[0].bucket", "orders")));
			sources.addLast(new MapPropertySource("file",
					Map.of("ratelimit.buckets.orders.rate", "1", "ratelimit.http.routes[0].path", "/api/**",
							"ratelimit.http.routes[0].methods[0]", "GET", "ratelimit.http.routes[1].path", "/more/**",
							"ratelimit.http.client-ip.trusted-proxies[0]", "10.0.0.0/8")));
		}).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "ratelimit.buckets.OrderService.place.rate, [OrderService.place]",
			"ratelimit.buckets.com.acme.Orders.rate, [com.acme.Orders]" })
	void aDottedNameWithoutBrackets(String property, String hint) {
		this.runner.withPropertyValues(property + "=3").run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).containsIgnoringCase(property);
			assertThat(analysis.getAction()).contains(hint, "bracket");
		});
	}

	@Test
	void aMisspeltPropertyIsNamedAlsoWhereItsBucketIsMissed() {
		new ApplicationContextRunner().withBean(Consumer.class)
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
			.withPropertyValues("ratelimit.bukets.orders.rate=3")
			.run((context) -> assertThat(StartupFailures.explain(context)).contains("ratelimit.bukets.orders.rate",
					"ratelimit.buckets"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.max-wait=", "ratelimit.buckets.orders.capacity=",
			"ratelimit.buckets[Named.place].max-waiters=" })
	void aPropertyWithoutAValueIsNoMistake(String property) {
		this.runner.withBean(Good.class)
			.withBean(Named.class)
			.withPropertyValues(property)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aMisspeltPropertyWithoutAValueIsAMistake() {
		this.runner.withPropertyValues("ratelimit.max-wat=")
			.run((context) -> assertThat(StartupFailures.explain(context)).contains("ratelimit.max-wait"));
	}

	@Test
	void anUnknownSystemPropertyDoesNotEndStartup() {
		this.runner.withBean(Good.class)
			.withSystemProperties("ratelimit.bukets.orders.rate=3", "ratelimit.buckets.orders.rte=3")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void anUnknownEnvironmentVariableDoesNotEndStartup() {
		this.runner.withBean(Good.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
						new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
								Map.of("RATELIMIT_BUKETS_ORDERS_RATE", "3", "RATELIMIT_BUCKETS_ORDERS_RTE", "3",
										"RATELIMIT_SERVICE_PORT", "80"))))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void springBootReportsAMistakeInAnAnnotation(CapturedOutput output) throws IOException {
		failToRun("");
		assertThat(output).contains("APPLICATION FAILED TO START", "Description:", "'orders'", "NameOnly", "Action:",
				"ratelimit.buckets.orders.rate");
	}

	@Test
	void lazyInitializationDoesNotHideAMistake(CapturedOutput output) throws IOException {
		failToRun("spring: {main: {lazy-initialization: true}}");
		assertThat(output).contains("APPLICATION FAILED TO START", "'orders'", "NameOnly");
	}

	@Test
	void springBootReportsAMistakeInAFile(CapturedOutput output) throws IOException {
		failToRun("ratelimit: {buckets: {orders: {rate: 0}}}");
		assertThat(output).contains("APPLICATION FAILED TO START", "Description:", "ratelimit.buckets.orders.rate",
				"Action:");
	}

	@Test
	void springBootReportsAMisspeltPropertyWithItsFileAndLine(CapturedOutput output) throws IOException {
		failToRun("""
				ratelimit:
				  buckets:
				    orders:
				      rate: 1
				      capasity: 3
				""");
		assertThat(output).contains("APPLICATION FAILED TO START", "Description:", "ratelimit.buckets.orders.capasity",
				"application.yml", "5:17", "Action:", "ratelimit.buckets.orders.capacity");
	}

	@Test
	void springBootReportsADottedNameWithoutBrackets(CapturedOutput output) throws IOException {
		failToRun("ratelimit: {buckets: {orders: {rate: 1}, OrderService.place: {rate: 5}}}");
		assertThat(output).contains("APPLICATION FAILED TO START", "Action:", "[OrderService.place]");
	}

	@Test
	void springBootReportsAMisspeltArgument(CapturedOutput output) throws IOException {
		failToRun("ratelimit: {buckets: {orders: {rate: 1}}}", "--ratelimit.buckets.orders.rte=3");
		assertThat(output).contains("APPLICATION FAILED TO START", "ratelimit.buckets.orders.rte", "Action:",
				"ratelimit.buckets.orders.rate");
	}

	private void failToRun(String yml, String... args) throws IOException {
		Files.writeString(this.directory.resolve("application.yml"), yml);
		SpringApplication application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.config.location=" + this.directory.toUri())
			.build();
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> application.run(args).close());
	}

	private static String normal(String description) {
		return description.replace("maxWait", "max-wait");
	}

	private static String inOtherWords(String value) {
		return switch (value) {
			case "0" -> "0.0";
			case "1e10" -> "1.0E10";
			case "1e-300" -> "1.0E-300";
			case "0s" -> "PT0S";
			case "-1s" -> "PT-1S";
			case "3651000d" -> "PT87624000H";
			default -> value;
		};
	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Value {

		String attribute();

		String value();

	}

	static class NameOnly {

		@RateLimited("orders")
		void place() {
		}

	}

	static class Empty {

		@RateLimited
		void place() {
		}

	}

	static class Good {

		@RateLimited(name = "orders", rate = 10, per = "10s", capacity = 20)
		void place() {
		}

	}

	static class SameAgain {

		@RateLimited(name = "orders", rate = 10.0, per = "PT10S", capacity = 20)
		void place() {
		}

	}

	static class OtherCallSite {

		@RateLimited(name = "orders", mode = RateLimitMode.WAIT, maxWait = "1s")
		void place() {
		}

	}

	@Value(attribute = "rate", value = "11")
	static class OtherRate {

		@RateLimited(name = "orders", rate = 11, per = "10s", capacity = 20)
		void place() {
		}

	}

	@Value(attribute = "per", value = "11S")
	static class OtherPer {

		@RateLimited(name = "orders", rate = 10, per = "11s", capacity = 20)
		void place() {
		}

	}

	@Value(attribute = "capacity", value = "21")
	static class OtherCapacity {

		@RateLimited(name = "orders", rate = 10, per = "10s", capacity = 21)
		void place() {
		}

	}

	@Value(attribute = "rate", value = "0")
	static class ZeroRate {

		@RateLimited(rate = 0)
		void place() {
		}

	}

	@Value(attribute = "rate", value = "-1")
	static class NegativeRate {

		@RateLimited(rate = -1)
		void place() {
		}

	}

	@Value(attribute = "rate", value = "Infinity")
	static class InfiniteRate {

		@RateLimited(rate = Double.POSITIVE_INFINITY)
		void place() {
		}

	}

	@Value(attribute = "rate", value = "-Infinity")
	static class NegativeInfiniteRate {

		@RateLimited(rate = Double.NEGATIVE_INFINITY)
		void place() {
		}

	}

	@Value(attribute = "rate", value = "1.0E10")
	static class HugeRate {

		@RateLimited(rate = 1e10)
		void place() {
		}

	}

	@Value(attribute = "capacity", value = "0")
	static class ZeroCapacity {

		@RateLimited(rate = 1, capacity = 0)
		void place() {
		}

	}

	@Value(attribute = "capacity", value = "-1")
	static class NegativeCapacity {

		@RateLimited(rate = 1, capacity = -1)
		void place() {
		}

	}

	@Value(attribute = "capacity", value = "9007199254740993")
	static class HugeCapacity {

		@RateLimited(rate = 1, capacity = 9007199254740993L)
		void place() {
		}

	}

	@Value(attribute = "per", value = "0S")
	static class ZeroPer {

		@RateLimited(rate = 1, per = "0s")
		void place() {
		}

	}

	@Value(attribute = "per", value = "-1")
	static class NegativePer {

		@RateLimited(rate = 1, per = "-1s")
		void place() {
		}

	}

	@Value(attribute = "per", value = "soon")
	static class UnparsablePer {

		@RateLimited(rate = 1, per = "soon")
		void place() {
		}

	}

	@Value(attribute = "per", value = "10")
	static class UnitlessPer {

		@RateLimited(rate = 1, per = "10")
		void place() {
		}

	}

	@Value(attribute = "per", value = "${orders.period}")
	static class UnresolvablePer {

		@RateLimited(rate = 1, per = "${orders.period}")
		void place() {
		}

	}

	@Value(attribute = "per", value = "PT87624000H")
	static class HugePer {

		@RateLimited(rate = 1, per = "3651000d")
		void place() {
		}

	}

	@Value(attribute = "maxWait", value = "-1")
	static class NegativeMaxWait {

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT, maxWait = "-1s")
		void place() {
		}

	}

	@Value(attribute = "maxWait", value = "soon")
	static class UnparsableMaxWait {

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT, maxWait = "soon")
		void place() {
		}

	}

	@Value(attribute = "maxWait", value = "${orders.patience}")
	static class UnresolvableMaxWait {

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT, maxWait = "${orders.patience}")
		void place() {
		}

	}

	@Value(attribute = "maxWait", value = "10")
	static class UnitlessMaxWait {

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT, maxWait = "10")
		void place() {
		}

	}

	static class Named {

		@RateLimited(rate = 1, per = "1h")
		void place() {
		}

	}

	static class Overloaded {

		@RateLimited(rate = 1)
		void place(String order) {
		}

		@RateLimited(rate = 1)
		void place(Long order) {
		}

	}

	static class NamedOverloads {

		@RateLimited(name = "texts", rate = 1)
		void place(String order) {
		}

		@RateLimited(name = "numbers", rate = 1)
		void place(Long order) {
		}

	}

	static class One {

		static class Service {

			@RateLimited(rate = 1)
			void place() {
			}

		}

	}

	static class Other {

		static class Service {

			@RateLimited(rate = 1)
			void place() {
			}

		}

	}

	static class Consumer {

		Consumer(@Qualifier("orders") TokenBucket bucket) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		NameOnly nameOnly() {
			return new NameOnly();
		}

	}

}
