package dev.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans that are told what limits decide.
 */
class ListenerBeansTests {

	@Test
	void areToldInTheirOrderWhateverOneOfThemThrows() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withUserConfiguration(Listeners.class)
			.withPropertyValues("ratelimit.buckets.orders.rate=1")
			.run((context) -> {
				TokenBucket bucket = context.getBean(TokenBucket.class);
				assertThat(bucket.tryAcquire()).isTrue();
				assertThat(bucket.tryAcquire()).isFalse();
				assertThat(context.getBean(Listeners.class).told).containsExactly("first allowed", "second allowed",
						"first rejected", "second rejected");
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners {

		private final List<String> told = new ArrayList<>();

		@Bean
		@Order(2)
		RateLimitListener second() {
			return named("second");
		}

		@Bean
		@Order(1)
		RateLimitListener first() {
			return named("first");
		}

		private RateLimitListener named(String name) {
			return new RateLimitListener() {

				@Override
				public void allowed(RateLimiter limiter, String key, long tokens) {
					tell("allowed");
				}

				@Override
				public void rejected(RateLimiter limiter, String key, long tokens) {
					tell("rejected");
				}

				private void tell(String outcome) {
					Listeners.this.told.add(name + " " + outcome);
					throw new IllegalStateException("broken");
				}

			};
		}

	}

}
