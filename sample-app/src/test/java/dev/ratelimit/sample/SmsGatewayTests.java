package dev.ratelimit.sample;

import java.time.Duration;

import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

@SpringBootTest
class SmsGatewayTests {

	@Autowired
	private SmsGateway gateway;

	@Autowired
	private ManualTimeSource timeSource;

	@Autowired
	private RateLimiterRegistry registry;

	@BeforeEach
	void refill() {
		this.registry.refillAll();
	}

	@Test
	void refusesTheSixthMessageForHalfASecond() {
		for (int message = 1; message <= 5; message++) {
			this.gateway.send("555-0100", "Tea is ready");
		}
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> this.gateway.send("555-0100", "Tea is cold"));
		this.timeSource.advance(Duration.ofMillis(500));
		assertThatNoException().isThrownBy(() -> this.gateway.send("555-0100", "Tea is cold"));
	}

	@Test
	void sharesItsBucketWithCode() {
		TokenBucket bucket = this.registry.get("sms").bucket();
		assertThat(bucket.tryAcquire(5)).isTrue();
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> this.gateway.send("555-0100", "Tea is ready"));
	}

	@TestConfiguration
	static class Time {

		@Bean
		ManualTimeSource timeSource() {
			return new ManualTimeSource();
		}

	}

}
