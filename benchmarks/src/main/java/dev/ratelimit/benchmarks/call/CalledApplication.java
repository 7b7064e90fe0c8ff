package dev.ratelimit.benchmarks.call;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * An application with a {@link CalledService}, auto-configured as a user has it.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class CalledApplication {

	static ConfigurableApplicationContext start(boolean metrics) {
		return new SpringApplicationBuilder(CalledApplication.class).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.properties("spring.main.banner-mode=off", "logging.level.root=warn",
					"ratelimit.buckets.keyed.max-keys=1000000", "ratelimit.metrics.enabled=" + metrics)
			.properties(resilience4j("resilience4j", 1_000_000_000, "1s"))
			.properties(resilience4j("resilience4j-refused", 1, "365d"))
			.run();
	}

	private static String[] resilience4j(String name, int calls, String period) {
		String instance = "resilience4j.ratelimiter.instances." + name;
		return new String[] { instance + ".limit-for-period=" + calls, instance + ".limit-refresh-period=" + period,
				instance + ".timeout-duration=0" };
	}

	@Bean
	MeterRegistry meterRegistry() {
		return new SimpleMeterRegistry();
	}

	@Bean
	CalledService calledService() {
		return new CalledService();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static NoOpAdvice noOpAdvice() {
		return new NoOpAdvice();
	}

}
