package dev.ratelimit.aspect;

import dev.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is known of limits when an application is processed ahead of time.
 */
class AheadOfTimeTests {

	private static final ReflectionHintsPredicates reflection = RuntimeHintsPredicates.reflection();

	@ParameterizedTest
	@EnumSource
	void generatesEveryKindOfApplication(WebApplicationType type) {
		InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
		process(type, files);
		assertThat(files.getGeneratedFiles(Kind.SOURCE)).containsKeys(
				"dev/ratelimit/autoconfigure/RateLimitAspectAutoConfiguration__BeanDefinitions.java",
				"dev/ratelimit/autoconfigure/RateLimitEndpointAutoConfiguration__BeanDefinitions.java");
	}

	@Test
	void registersWhatLimitsCallByReflection() throws Exception {
		RuntimeHints hints = process(WebApplicationType.NONE, new InMemoryGeneratedFiles());
		assertThat(reflection.onMethodInvocation(Service.class.getDeclaredMethod("instead", Order.class)))
			.accepts(hints);
		assertThat(reflection.onMethodInvocation(Order.class.getDeclaredMethod("getCustomer"))).accepts(hints);
		assertThat(reflection.onMethodInvocation(LimitedInvocation.class.getMethod("getClientIp"))).accepts(hints);
		assertThat(reflection.onType(RateLimited.class).withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
			.accepts(hints);
	}

	@Test
	void registersWhatRoutesSeeOfARequest() throws Exception {
		RuntimeHints hints = process(WebApplicationType.SERVLET, new InMemoryGeneratedFiles());
		assertThat(reflection
			.onMethodInvocation(Class.forName("dev.ratelimit.web.RouteCall").getMethod("header", String.class)))
			.accepts(hints);
	}

	private static RuntimeHints process(WebApplicationType type, InMemoryGeneratedFiles files) {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(AheadOfTimeTests.class)), files);
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class).web(type)
			.properties("management.endpoints.web.exposure.include=ratelimits", "ratelimit.buckets.orders.rate=1",
					"ratelimit.http.routes[0].path=/orders", "ratelimit.http.routes[0].bucket=orders",
					"logging.level.root=warn", "spring.main.banner-mode=off");
		try (GenericApplicationContext context = prepare(application.application())) {
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
			generation.writeGeneratedContent();
			return generation.getRuntimeHints();
		}
	}

	/**
	 * Returns the context of an application as it is before it starts.
	 */
	private static GenericApplicationContext prepare(SpringApplication application) {
		try {
			SpringApplication.withHook((run) -> new SpringApplicationRunListener() {
				@Override
				public void contextLoaded(ConfigurableApplicationContext context) {
					throw new SpringApplication.AbandonedRunException(context);
				}
			}, () -> application.run());
			throw new IllegalStateException("The application has started");
		}
		catch (SpringApplication.AbandonedRunException ex) {
			return (GenericApplicationContext) ex.getApplicationContext();
		}
	}

	static class Order {

		public String getCustomer() {
			return "alice";
		}

	}

	static class Service {

		@RateLimited(name = "orders", key = "#order.customer", fallback = "instead")
		void place(Order order) {
		}

		void instead(Order order) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Service.class)
	static class Application {

	}

}
