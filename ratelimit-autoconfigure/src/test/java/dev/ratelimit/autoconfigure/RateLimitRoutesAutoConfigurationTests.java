package dev.ratelimit.autoconfigure;

import java.util.Map;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.web.servlet.RouteLimitFilter;
import org.junit.jupiter.api.Test;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.web.servlet.DispatcherServlet;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RateLimitRoutesAutoConfiguration}.
 */
class RateLimitRoutesAutoConfigurationTests {

	private static final Map<String, Object> ROUTE = Map.of("ratelimit.http.routes[0].path", "/api/**",
			"ratelimit.http.routes[0].bucket", "api", "ratelimit.buckets.api.rate", "10");

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAspectAutoConfiguration.class,
				RateLimitAutoConfiguration.class, RateLimitRoutesAutoConfiguration.class,
				RateLimitWebAutoConfiguration.class, RateLimitWebMvcAutoConfiguration.class));

	@Test
	void addsNoFilterWithoutRoutes() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(RouteLimitFilter.class));
	}

	@Test
	void findsRoutesInEnvironmentVariables() {
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		PropertySource<?> variables = new SystemEnvironmentPropertySource(name,
				Map.of("RATELIMIT_HTTP_ROUTES_0_PATH", "/api/**", "RATELIMIT_HTTP_ROUTES_0_BUCKET", "api"));
		this.runner.withPropertyValues("ratelimit.buckets.api.rate=10")
			.withInitializer((context) -> context.getEnvironment().getPropertySources().replace(name, variables))
			.run((context) -> assertThat(context.getBeansOfType(RouteLimitFilter.class)).hasSize(2));
	}

	@Test
	void findsRoutesInASourceThatCannotListItsProperties() {
		this.runner.withPropertyValues("ratelimit.buckets.api.rate=10")
			.withInitializer((context) -> context.getEnvironment().getPropertySources().addFirst(new Unlisted()))
			.run((context) -> assertThat(context.getBeansOfType(RouteLimitFilter.class)).hasSize(2));
	}

	@Test
	void standsAroundSpringSecurityWhereverThatIsPut() {
		this.runner.withPropertyValues(ROUTE.entrySet().stream().map(Object::toString).toArray(String[]::new))
			.withPropertyValues("spring.security.filter.order=5")
			.run((context) -> assertThat(context.getBeansOfType(RouteLimitFilter.class).values())
				.extracting(RouteLimitFilter::getOrder)
				.containsExactlyInAnyOrder(3, 15));
	}

	@Test
	void endsStartupWhereNothingAsksTheRoutes() {
		this.runner.withPropertyValues(ROUTE.entrySet().stream().map(Object::toString).toArray(String[]::new))
			.withClassLoader(new FilteredClassLoader(DispatcherServlet.class))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(RateLimitConfigurationException.class)
				.hasMessageContaining("ratelimit.http.routes limits nothing"));
	}

	private static final class Unlisted extends PropertySource<Map<String, Object>> {

		private Unlisted() {
			super("unlisted", ROUTE);
		}

		@Override
		public @Nullable Object getProperty(String name) {
			return this.source.get(name);
		}

	}

}
