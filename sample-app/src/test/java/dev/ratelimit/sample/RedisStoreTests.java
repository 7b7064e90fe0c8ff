package dev.ratelimit.sample;

import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Starts the application as the README does where it shares limits, but without a server.
 */
class RedisStoreTests {

	@Test
	void startsAndLimitsWithoutAServer() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class)
			.web(WebApplicationType.NONE)
			.run("--ratelimit.store=redis", "--spring.data.redis.port=1")) {
			RateLimiterRegistry registry = context.getBean(RateLimiterRegistry.class);
			TokenBucket search = registry.get("search").bucket();
			assertThat(registry.get("search").settings().store()).isEqualTo("redis");
			assertThat(search.tryAcquire(10)).isTrue();
			assertThat(search.tryAcquire(1)).isFalse();
		}
	}

}
