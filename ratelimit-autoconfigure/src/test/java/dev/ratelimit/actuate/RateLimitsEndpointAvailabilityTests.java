package dev.ratelimit.actuate;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitEndpointAutoConfiguration;
import dev.ratelimit.core.RateLimiterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Where the endpoint is available, and to what extent.
 */
class RateLimitsEndpointAvailabilityTests {

	private static final String RATE = "ratelimit.buckets.orders.rate=10";

	@ParameterizedTest
	@CsvSource({ "unrestricted, 200, 200, 204", "read-only, 200, 405, 405", "none, 404, 404, 404" })
	void accessIsHonoured(String access, int get, int post, int delete) {
		try (ActuatorServer server = ActuatorServer.start(Nothing.class, RATE,
				"management.endpoint.ratelimits.access=" + access)) {
			assertThat(server.get("/orders").statusCode()).isEqualTo(get);
			assertThat(server.get("/orders/some/key").statusCode()).isEqualTo(get);
			assertThat(server.post("/orders", "{\"rate\": 5}").statusCode()).isEqualTo(post);
			assertThat(server.delete("/orders").statusCode()).isEqualTo(delete);
			assertThat(server.delete("/orders/key").statusCode()).isEqualTo(delete);
			assertThat(server.delete("/orders/some/key").statusCode()).isEqualTo(delete);
		}
	}

	@Test
	void isThereOverJmx() throws Exception {
		MBeanServer server = ManagementFactory.getPlatformMBeanServer();
		ObjectName name = new ObjectName("ratelimit-tests:type=Endpoint,name=Ratelimits");
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(ActuatorServer.Application.class)
			.web(WebApplicationType.NONE)
			.properties(RATE, "spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=ratelimits",
					"management.endpoints.jmx.domain=ratelimit-tests")
			.run()) {
			RateLimiterRegistry registry = context.getBean(RateLimiterRegistry.class);
			assertThat(invoke(server, name, "limits")).extracting("buckets")
				.asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsOnlyKeys("orders");
			assertThat(invoke(server, name, "change", "orders", "5", null, "1m", null))
				.asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsEntry("rate", 5.0)
				.containsEntry("per", "PT1M");
			registry.get("orders").bucket("a/b").tryAcquire();
			assertThat(invoke(server, name, "key", "orders", "a/b")).asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsEntry("availableTokens", 9L);
			invoke(server, name, "refillKey", "orders", "a/b");
			assertThat(registry.get("orders").bucket("a/b").availableTokens()).isEqualTo(10);
			assertThat(invoke(server, name, "limit", "nothing")).isNull();
			assertThat(invoke(server, name, "key", "nothing", "alice")).isNull();
			assertThatException().isThrownBy(() -> invoke(server, name, "refill", "nothing"))
				.withStackTraceContaining("There is no rate limit named 'nothing'");
			assertThatException().isThrownBy(() -> invoke(server, name, "change", "orders", "-1", null, null, null))
				.withStackTraceContaining("rate must be");
		}
	}

	@Test
	void changesNothingOverJmxWhereItIsReadOnly() throws Exception {
		ObjectName name = new ObjectName("ratelimit-read-only:type=Endpoint,name=Ratelimits");
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(ActuatorServer.Application.class)
			.web(WebApplicationType.NONE)
			.properties(RATE, "spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=ratelimits",
					"management.endpoints.jmx.domain=ratelimit-read-only",
					"management.endpoint.ratelimits.access=read-only")
			.run()) {
			assertThat(ManagementFactory.getPlatformMBeanServer().getMBeanInfo(name).getOperations())
				.extracting(MBeanOperationInfo::getName)
				.containsExactlyInAnyOrder("limits", "limit", "key");
		}
	}

	@Test
	void isNotThereUnlessExposed() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitEndpointAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitsEndpoint.class));
	}

	@Test
	void limitsWithoutActuator() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitEndpointAutoConfiguration.class))
			.withPropertyValues(RATE, "management.endpoints.web.exposure.include=*")
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitsEndpoint.class);
				assertThat(context.getBean(RateLimiterRegistry.class).get("orders").bucket().tryAcquire()).isTrue();
			});
	}

	private static Object invoke(MBeanServer server, ObjectName name, String operation, String... arguments)
			throws Exception {
		String[] signature = new String[arguments.length];
		Arrays.fill(signature, String.class.getName());
		return server.invoke(name, operation, arguments, signature);
	}

	@Configuration(proxyBeanMethods = false)
	static class Nothing {

	}

}
