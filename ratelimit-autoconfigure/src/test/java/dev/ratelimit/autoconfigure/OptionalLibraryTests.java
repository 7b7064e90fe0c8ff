package dev.ratelimit.autoconfigure;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that methods are limited, in every kind of application, whichever optional
 * library is not there.
 */
class OptionalLibraryTests {

	private static final String[] ROUTE = { "ratelimit.http.routes[0].path=/orders",
			"ratelimit.http.routes[0].bucket=orders" };

	private static final AutoConfigurations OURS = AutoConfigurations
		.of(ImportCandidates.load(AutoConfiguration.class, null)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("dev.ratelimit."))
			.map((name) -> ClassUtils.resolveClassName(name, null))
			.toArray(Class<?>[]::new));

	@ParameterizedTest
	@EnumSource
	void limitsWithout(Library library) {
		limits(new ApplicationContextRunner(), library);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "SPRING_WEB", "SPRING_MVC", "SERVLETS" })
	void limitsInAServletApplicationWithout(Library library) {
		limits(new WebApplicationContextRunner().withPropertyValues(ROUTE), library);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "SPRING_WEB", "WEBFLUX", "REACTOR", "REACTOR_NETTY" })
	void limitsInAReactiveApplicationWithout(Library library) {
		limits(new ReactiveWebApplicationContextRunner().withPropertyValues(ROUTE), library);
	}

	private static void limits(AbstractApplicationContextRunner<?, ?, ?> runner, Library library) {
		ClassLoader complete = OptionalLibraryTests.class.getClassLoader();
		ClassLoader without = new FilteredClassLoader(library.packages);
		assertThat(ClassUtils.isPresent(library.example, complete)).isTrue();
		assertThat(ClassUtils.isPresent(library.example, without)).isFalse();
		runner.withConfiguration(OURS)
			.withBean(ManualTimeSource.class, ManualTimeSource::new)
			.withBean(Service.class)
			.withPropertyValues("ratelimit.buckets.orders.rate=1")
			.withClassLoader(without)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Service service = context.getBean(Service.class);
				assertThat(service.call("alice")).isEqualTo("called by alice");
				assertThat(service.call("bob")).isEqualTo("called by bob");
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.call("alice"))
					.returns("orders", RateLimitExceededException::getBucketName);
			});
	}

	private enum Library {

		SPRING_WEB("org.springframework.web.bind.annotation.RestController", "org.springframework.web",
				"org.springframework.http"),

		SPRING_MVC("org.springframework.web.servlet.DispatcherServlet", "org.springframework.web.servlet"),

		SERVLETS("jakarta.servlet.Filter", "jakarta.servlet"),

		WEBFLUX("org.springframework.web.reactive.DispatcherHandler", "org.springframework.web.reactive"),

		REACTOR("reactor.core.publisher.Mono", "reactor", "org.reactivestreams"),

		REACTOR_NETTY("reactor.netty.http.server.HttpServer", "reactor.netty"),

		SPRING_DATA_REDIS("org.springframework.data.redis.connection.RedisConnectionFactory",
				"org.springframework.data.redis"),

		LETTUCE("io.lettuce.core.RedisClient", "io.lettuce"),

		MICROMETER("io.micrometer.core.instrument.MeterRegistry", "io.micrometer.core"),

		ACTUATOR("org.springframework.boot.actuate.endpoint.annotation.Endpoint", "org.springframework.boot.actuate"),

		SPRING_SECURITY("org.springframework.security.core.Authentication", "org.springframework.security"),

		ASPECTJ("org.aspectj.weaver.Advice", "org.aspectj"),

		TRANSACTIONS("org.springframework.transaction.PlatformTransactionManager", "org.springframework.transaction",
				"org.springframework.dao"),

		COROUTINES("kotlinx.coroutines.reactor.MonoKt", "kotlinx.coroutines");

		private final String example;

		private final String[] packages;

		Library(String example, String... packages) {
			this.example = example;
			this.packages = packages;
		}

	}

	public static class Service {

		@RateLimited(name = "orders", key = "#user")
		public String call(String user) {
			return "called by " + user;
		}

	}

}
