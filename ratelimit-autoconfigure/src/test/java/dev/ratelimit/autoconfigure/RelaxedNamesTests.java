package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Names of buckets as files, annotations, environment variables and the command line
 * spell them.
 */
class RelaxedNamesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
		.withBean(TimeSource.class, ManualTimeSource::autoAdvancing);

	@TempDir
	private Path directory;

	@ParameterizedTest
	@ValueSource(strings = { "orderApi", "OrderApi", "orderapi", "order-api", "[orderApi]", "[ORDER_API]" })
	void anEnvironmentVariableTunesTheBucketOfAFile(String name) {
		this.runner.withInitializer(file("ratelimit.buckets." + name + ".rate", "2"))
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERAPI_RATE", "5"))
			.run((context) -> {
				String spelling = name.replace("[", "").replace("]", "");
				assertThat(context.getBeanNamesForType(TokenBucket.class))
					.containsExactly("ratelimit.bucket." + spelling);
				assertThat(context.getBean(TokenBucket.class).limit()).isEqualTo(RateLimit.perSecond(5));
				assertThat(context.getBean(RateLimiterRegistry.class).get("orderapi").name()).isEqualTo(spelling);
			});
	}

	@Test
	void anEnvironmentVariableLeavesTheOtherSettingsOfTheFile() {
		this.runner
			.withInitializer(file("ratelimit.buckets.orderApi.rate", "2", "ratelimit.buckets.orderApi.per", "1m",
					"ratelimit.buckets.orderApi.capacity", "9"))
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERAPI_RATE", "5"))
			.run((context) -> assertThat(context.getBean(TokenBucket.class).limit())
				.isEqualTo(RateLimit.of(5, Duration.ofMinutes(1), 9)));
	}

	@Test
	void anEnvironmentVariableWithDashesAsUnderscoresTunesTheBucketOfAFile() {
		this.runner.withInitializer(file("ratelimit.buckets.order-api.rate", "2"))
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDER_API_RATE", "5"))
			.run((context) -> {
				assertThat(context.getBeanNamesForType(TokenBucket.class))
					.containsExactly("ratelimit.bucket.order-api");
				assertThat(context.getBean(TokenBucket.class).limit()).isEqualTo(RateLimit.perSecond(5));
			});
	}

	@Test
	void anEnvironmentVariableTunesTheBucketOfAnAnnotation() {
		this.runner.withBean(OrderApi.class)
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERAPI_RATE", "5"))
			.run((context) -> {
				assertThat(context.getBean(RateLimiterRegistry.class).get("orderApi").bucket().limit())
					.isEqualTo(RateLimit.of(5, Duration.ofMinutes(1), 5));
				assertThat(context.getBean(RateLimiterRegistry.class).get("orderApi").name()).isEqualTo("orderApi");
				assertThat(context).doesNotHaveBean(TokenBucket.class);
			});
	}

	@Test
	void anEnvironmentVariableMayGiveAnAnnotationItsRate() {
		this.runner.withBean(NameOnly.class)
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERAPI_RATE", "1"))
			.run((context) -> {
				NameOnly service = context.getBean(NameOnly.class);
				service.call();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::call)
					.satisfies((ex) -> assertThat(ex.getBucketName()).isEqualTo("orderApi"));
			});
	}

	@Test
	void anEnvironmentVariableCreatesNothingWhereNobodyHasTheName() {
		this.runner.withBean(OrderApi.class)
			.withInitializer(environment("RATELIMIT_BUCKETS_PHANTOM_RATE", "5"))
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(TokenBucket.class);
				assertThat(context.getBean(RateLimiterRegistry.class).limiters()).hasSize(1);
				assertThat(context.getBean(RateLimiterRegistry.class).find("phantom")).isNull();
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "RATELIMIT", "RATELIMIT_", "RATELIMIT_PORT", "RATELIMIT_BUCKETS_PHANTOM_RTE",
			"RATELIMIT_BUCKETS_PHANTOM_RATE_LIMIT" })
	void anEnvironmentVariableThatMeansNothingDoesNoHarm(String variable) {
		this.runner.withInitializer(environment(variable, "tcp://10.0.0.1:80"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(TokenBucket.class));
	}

	@Test
	void anEnvironmentVariableTunesADottedNameOfAFile() {
		this.runner.withInitializer(file("ratelimit.buckets[OrderService.place].rate", "2"))
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERSERVICE_PLACE_RATE", "5"))
			.run((context) -> {
				assertThat(context.getBeanNamesForType(TokenBucket.class))
					.containsExactly("ratelimit.bucket.OrderService.place");
				assertThat(context.getBean(TokenBucket.class).limit()).isEqualTo(RateLimit.perSecond(5));
			});
	}

	@Test
	void anEnvironmentVariableTunesADefaultName() {
		this.runner.withBean(OrderService.class)
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERSERVICE_PLACE_RATE", "5"))
			.run((context) -> {
				assertThat(context.getBean(RateLimiterRegistry.class).get("OrderService.place").bucket().limit())
					.isEqualTo(RateLimit.of(5, Duration.ofSeconds(1), 5));
				assertThat(context).doesNotHaveBean(TokenBucket.class);
			});
	}

	@Test
	void anEnvironmentVariableOfADottedNameLeavesTheBucketOfItsFirstPart() {
		this.runner.withBean(OrderService.class)
			.withInitializer(file("ratelimit.buckets.orderService.rate", "2"))
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERSERVICE_PLACE_RATE", "5"))
			.run((context) -> {
				RateLimiterRegistry registry = context.getBean(RateLimiterRegistry.class);
				assertThat(registry.get("orderService").bucket().limit()).isEqualTo(RateLimit.perSecond(2));
				assertThat(registry.get("OrderService.place").bucket().limit()).isEqualTo(RateLimit.perSecond(5));
				assertThat(registry.limiters()).hasSize(2);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "RATELIMIT_BUCKETS_ORDERAPI_MAX_WAIT", "RATELIMIT_BUCKETS_ORDERAPI_MAXWAIT" })
	void anEnvironmentVariableOfSeveralWordsIsSpeltWithAndWithoutUnderscore(String variable) {
		this.runner.withBean(Waiting.class).withInitializer(environment(variable, "0")).run((context) -> {
			Waiting service = context.getBean(Waiting.class);
			service.call();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::call);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "RATELIMIT_BUCKETS_ORDERSERVICE_PLACE_INITIAL_TOKENS",
			"RATELIMIT_BUCKETS_ORDERSERVICE_PLACE_INITIALTOKENS" })
	void anEnvironmentVariableOfSeveralWordsTunesADottedName(String variable) {
		this.runner.withBean(OrderService.class)
			.withInitializer(environment(variable, "0"))
			.run((context) -> assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(context.getBean(OrderService.class)::place));
	}

	@ParameterizedTest
	@ValueSource(strings = { "RATELIMIT_MAX_WAIT", "RATELIMIT_MAXWAIT" })
	void anEnvironmentVariableSetsTheDefaultMaxWait(String variable) {
		this.runner.withBean(Waiting.class).withInitializer(environment(variable, "0")).run((context) -> {
			Waiting service = context.getBean(Waiting.class);
			service.call();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::call);
		});
	}

	@Test
	void anEnvironmentVariableSetsTheMode() {
		this.runner.withBean(OrderApi.class)
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERAPI_MODE", "wait"))
			.run((context) -> {
				OrderApi service = context.getBean(OrderApi.class);
				service.call();
				service.call();
				assertThatNoException().isThrownBy(service::call);
			});
	}

	@Test
	void theEnvironmentBeatsTheFile() {
		this.runner.withInitializer(file("ratelimit.buckets.orderApi.rate", "2"))
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERAPI_RATE", "5"))
			.run((context) -> assertThat(context.getBean(TokenBucket.class).limit().rate()).isEqualTo(5));
	}

	@Test
	void theCommandLineBeatsTheEnvironment() {
		this.runner.withInitializer(file("ratelimit.buckets.orderApi.rate", "2"))
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERAPI_RATE", "5"))
			.withInitializer(commandLine("--ratelimit.buckets.orderApi.rate=7"))
			.run((context) -> assertThat(context.getBean(TokenBucket.class).limit().rate()).isEqualTo(7));
	}

	@Test
	void theCommandLineBeatsTheEnvironmentAtADottedName() {
		this.runner.withInitializer(file("ratelimit.buckets[OrderService.place].rate", "2"))
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERSERVICE_PLACE_RATE", "5"))
			.withInitializer(commandLine("--ratelimit.buckets[OrderService.place].rate=7"))
			.run((context) -> assertThat(context.getBean(TokenBucket.class).limit().rate()).isEqualTo(7));
	}

	@Test
	void theCommandLineBeatsTheEnvironmentAlsoWhereOnlyAnAnnotationHasTheName() {
		this.runner.withBean(OrderApi.class)
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERAPI_RATE", "5"))
			.withInitializer(commandLine("--ratelimit.buckets.orderApi.rate=7"))
			.run((context) -> assertThat(
					context.getBean(RateLimiterRegistry.class).get("orderApi").bucket().limit().rate())
				.isEqualTo(7));
	}

	@Test
	void aSystemPropertyBeatsTheEnvironment() {
		this.runner.withInitializer(file("ratelimit.buckets.orderApi.rate", "2"))
			.withInitializer(environment("RATELIMIT_BUCKETS_ORDERAPI_RATE", "5"))
			.withSystemProperties("ratelimit.buckets.orderApi.rate=6")
			.run((context) -> assertThat(context.getBean(TokenBucket.class).limit().rate()).isEqualTo(6));
	}

	@Test
	void theCommandLineTunesInAnotherSpellingOrEndsStartup() {
		this.runner.withInitializer(file("ratelimit.buckets.orderApi.rate", "2"))
			.withInitializer(commandLine("--ratelimit.buckets.order-api.rate=7"))
			.run((context) -> {
				if (context.getStartupFailure() == null) {
					assertThat(context.getBean(RateLimiterRegistry.class).get("orderApi").bucket().limit().rate())
						.isEqualTo(7);
				}
				else {
					assertThat(context.getStartupFailure()).hasStackTraceContaining("orderApi")
						.hasStackTraceContaining("order-api");
				}
			});
	}

	@Test
	void twoSpellingsInOneFileEndStartup() {
		this.runner
			.withInitializer(file("ratelimit.buckets.orderApi.rate", "2", "ratelimit.buckets.order-api.capacity", "3"))
			.run((context) -> assertThat(StartupFailures.explain(context)).contains("orderApi", "order-api",
					"ratelimit.buckets"));
	}

	@Test
	void twoSpellingsInTwoFilesEndStartup() throws IOException {
		write("application.yml", "ratelimit: {buckets: {orderApi: {rate: 2}}}");
		write("application-test.yml", "ratelimit: {buckets: {order_api: {rate: 3}}}");
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> application("--spring.profiles.active=test").close())
			.satisfies((ex) -> assertThat(StartupFailures.explain(ex)).contains("orderApi", "order_api"));
	}

	@Test
	void oneSpellingInTwoFilesIsOneBucket() throws IOException {
		write("application.yml", "ratelimit: {buckets: {orderApi: {rate: 2, capacity: 9}}}");
		write("application-test.yml", "ratelimit: {buckets: {orderApi: {rate: 3}}}");
		try (ConfigurableApplicationContext context = application("--spring.profiles.active=test")) {
			assertThat(context.getBean(TokenBucket.class).limit()).isEqualTo(RateLimit.of(3, Duration.ofSeconds(1), 9));
		}
	}

	@Test
	void aRealFileIsTunedByEnvironmentAndCommandLine() throws IOException {
		write("application.yml", """
				ratelimit:
				  buckets:
				    orderApi:
				      rate: 2
				      capacity: 9
				    "[OrderService.place]": {rate: 3}
				""");
		try (ConfigurableApplicationContext context = application(environment("RATELIMIT_BUCKETS_ORDERAPI_RATE", "5",
				"RATELIMIT_BUCKETS_ORDERSERVICE_PLACE_RATE", "6", "RATELIMIT_BUCKETS_ORDERAPI_CAPACITY", "10"),
				"--ratelimit.buckets.orderApi.capacity=11")) {
			assertThat(context.getBeanNamesForType(TokenBucket.class))
				.containsExactlyInAnyOrder("ratelimit.bucket.orderApi", "ratelimit.bucket.OrderService.place");
			assertThat(context.getBean("ratelimit.bucket.orderApi", TokenBucket.class).limit())
				.isEqualTo(RateLimit.of(5, Duration.ofSeconds(1), 11));
			assertThat(context.getBean("ratelimit.bucket.OrderService.place", TokenBucket.class).limit())
				.isEqualTo(RateLimit.perSecond(6));
		}
	}

	@Test
	void anEnvironmentVariableSwitchesEverythingOff() throws IOException {
		write("application.yml", "ratelimit: {buckets: {'[OrderService.place]': {rate: 1}}}");
		try (ConfigurableApplicationContext context = application(environment("RATELIMIT_ENABLED", "false"))) {
			OrderService service = context.getBean(OrderService.class);
			service.place();
			assertThatNoException().isThrownBy(service::place);
		}
	}

	private void write(String file, String content) throws IOException {
		Files.writeString(this.directory.resolve(file), content);
	}

	private ConfigurableApplicationContext application(String... args) {
		return application(environment(), args);
	}

	private ConfigurableApplicationContext application(
			ApplicationContextInitializer<ConfigurableApplicationContext> initializer, String... args) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.config.location=" + this.directory.toUri())
			.initializers(initializer)
			.run(args);
	}

	private static ApplicationContextInitializer<ConfigurableApplicationContext> environment(String... namesAndValues) {
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		return (context) -> sources(context).replace(name,
				new SystemEnvironmentPropertySource(name, map(namesAndValues)));
	}

	private static ApplicationContextInitializer<ConfigurableApplicationContext> file(String... keysAndValues) {
		return (context) -> sources(context).addLast(new MapPropertySource("file", map(keysAndValues)));
	}

	private static ApplicationContextInitializer<ConfigurableApplicationContext> commandLine(String... args) {
		return (context) -> sources(context).addFirst(new SimpleCommandLinePropertySource(args));
	}

	private static MutablePropertySources sources(ConfigurableApplicationContext context) {
		return context.getEnvironment().getPropertySources();
	}

	private static Map<String, Object> map(String... pairs) {
		Map<String, Object> map = new HashMap<>();
		for (int i = 0; i < pairs.length; i += 2) {
			map.put(pairs[i], pairs[i + 1]);
		}
		return map;
	}

	static class OrderApi {

		@RateLimited(name = "orderApi", rate = 1, per = "1m")
		void call() {
		}

	}

	static class NameOnly {

		@RateLimited("orderApi")
		void call() {
		}

	}

	static class Waiting {

		@RateLimited(name = "orderApi", rate = 1, mode = RateLimitMode.WAIT)
		void call() {
		}

	}

	static class OrderService {

		@RateLimited(rate = 1)
		void place() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		OrderService orderService() {
			return new OrderService();
		}

	}

}
