package dev.ratelimit.sample;

import java.time.Duration;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.RateLimiterSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Starts the application with the configuration files that the README shows.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationTests {

	@Test
	void tunesALimitByItsDefaultName() {
		assertThat(settings("tuned", "DataController.data").limit())
			.isEqualTo(RateLimit.of(50, Duration.ofSeconds(1), 50));
	}

	@Test
	void understandsEveryProperty() {
		RateLimiterSettings settings = settings("reference", "orders");
		assertThat(settings.limit()).isEqualTo(RateLimit.of(10, Duration.ofSeconds(1), 20));
		assertThat(settings.mode()).isEqualTo(RateLimitMode.WAIT);
		assertThat(settings.maxWait()).isEqualTo(Duration.ofSeconds(2));
		assertThat(settings.maxWaiters()).isEqualTo(100);
		assertThat(settings.maxKeys()).isEqualTo(100_000);
	}

	@Test
	void explainsANameWithoutARate(CapturedOutput output) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(SearchAlone.class)
			.web(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--spring.config.name=none"));
		assertThat(output.getOut()).contains(Readme.load()
			.blocks("text")
			.filter((block) -> block.contains("APPLICATION FAILED TO START"))
			.findFirst()
			.orElseThrow());
	}

	private static RateLimiterSettings settings(String profile, String limit) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class)
			.web(WebApplicationType.NONE)
			.run("--spring.profiles.active=" + profile)) {
			return context.getBean(RateLimiterRegistry.class).get(limit).settings();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(SearchController.class)
	static class SearchAlone {

	}

}
