package dev.ratelimit.compat;

import java.time.Duration;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.redis.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for limits in a real Redis, through the connections that Spring Boot configures
 * on this line.
 */
class RedisTests {

	private static RedisProcess redis;

	@BeforeAll
	static void startRedis() {
		redis = RedisProcess.start();
	}

	@AfterAll
	static void stopRedis() {
		if (redis != null) {
			redis.close();
		}
	}

	@Test
	void sharesALimitBetweenApplications() {
		application().run((one) -> application().run((another) -> {
			one.getBean(Service.class).keyed("alice");
			another.getBean(Service.class).keyed("alice");
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> one.getBean(Service.class).keyed("alice"));
			another.getBean(Service.class).keyed("bob");
		}));
		assertThat(redis.command("EXISTS", "ratelimit:keyed:alice")).isEqualTo(":1");
	}

	@Test
	void waits() {
		application().run((context) -> {
			Service service = context.getBean(Service.class);
			ManualTimeSource time = context.getBean(ManualTimeSource.class);
			service.waiting();
			long before = time.nanos();
			service.waiting();
			assertThat(Duration.ofNanos(time.nanos() - before)).isBetween(Duration.ofHours(23), Duration.ofDays(1));
		});
	}

	private static ApplicationContextRunner application() {
		return LimitedApplication.with(Service.class)
			.withPropertyValues("ratelimit.store=redis", "ratelimit.redis.timeout=30s",
					"ratelimit.buckets.keyed.on-store-failure=deny", "ratelimit.buckets.waiting.on-store-failure=deny",
					"spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port());
	}

	static class Service {

		@RateLimited(name = "keyed", rate = 2, per = "1d", key = "#user")
		void keyed(String user) {
		}

		@RateLimited(name = "waiting", rate = 1, per = "1d", mode = RateLimitMode.WAIT)
		void waiting() {
		}

	}

}
