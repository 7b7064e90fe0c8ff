package dev.ratelimit.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;
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

	@ParameterizedTest
	@EnumSource
	void limitsWithout(Library library) throws Exception {
		limits("PLAIN", library);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "SPRING_WEB", "SPRING_MVC", "SERVLETS" })
	void limitsInAServletApplicationWithout(Library library) throws Exception {
		limits("SERVLET", library);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "SPRING_WEB", "WEBFLUX", "REACTOR", "REACTOR_NETTY" })
	void limitsInAReactiveApplicationWithout(Library library) throws Exception {
		limits("REACTIVE", library);
	}

	private static void limits(String application, Library library) throws Exception {
		assertThat(ClassUtils.isPresent(library.example, OptionalLibraryTests.class.getClassLoader())).isTrue();
		try (WithoutLibrary without = new WithoutLibrary(library.packages)) {
			assertThat(ClassUtils.isPresent(library.example, without)).isFalse();
			Method run = without.loadClass(Application.class.getName()).getDeclaredMethod("run", String.class);
			run.setAccessible(true);
			run.invoke(null, application);
		}
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

	/**
	 * What runs without the library, and is loaded anew for that.
	 */
	private static final class Application {

		static void run(String kind) {
			switch (kind) {
				case "SERVLET" -> limits(new WebApplicationContextRunner().withPropertyValues(ROUTE));
				case "REACTIVE" -> limits(new ReactiveWebApplicationContextRunner().withPropertyValues(ROUTE));
				default -> limits(new ApplicationContextRunner());
			}
		}

		private static void limits(AbstractApplicationContextRunner<?, ?, ?> runner) {
			ClassLoader classLoader = Application.class.getClassLoader();
			runner.withUserConfiguration(AutoConfigured.class)
				.withBean(ManualTimeSource.class, ManualTimeSource::new)
				.withBean(Service.class)
				.withPropertyValues("ratelimit.buckets.orders.rate=1")
				.withClassLoader(classLoader)
				.run((context) -> {
					assertThat(context).hasNotFailed();
					Service service = context.getBean(Service.class);
					assertThat(service.call("alice")).isEqualTo("called by alice");
					assertThat(service.call("bob")).isEqualTo("called by bob");
					assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.call("alice"))
						.returns("orders", RateLimitExceededException::getBucketName);
				});
		}

	}

	/**
	 * Imports the auto-configurations of the library alone, by name as Spring Boot does.
	 */
	private static final class LibraryImportSelector extends AutoConfigurationImportSelector {

		@Override
		protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
			return new AnnotationAttributes(Map.of("exclude", new String[0], "excludeName", new String[0]));
		}

		@Override
		protected List<String> getCandidateConfigurations(AnnotationMetadata metadata,
				AnnotationAttributes attributes) {
			return super.getCandidateConfigurations(metadata, attributes).stream()
				.filter((name) -> name.startsWith("dev.ratelimit."))
				.toList();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(LibraryImportSelector.class)
	static class AutoConfigured {

	}

}
