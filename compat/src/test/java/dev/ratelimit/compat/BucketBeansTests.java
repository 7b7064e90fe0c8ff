package dev.ratelimit.compat;

import java.util.HashMap;
import java.util.Map;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for buckets as beans, and for what the configuration says of them.
 */
class BucketBeansTests {

	private final ApplicationContextRunner runner = LimitedApplication.with(Orders.class)
		.withPropertyValues("ratelimit.buckets.orders.rate=2", "ratelimit.buckets.orders.keys[partner-7].rate=3",
				"ratelimit.buckets.downloads.rate=1000000");

	@Test
	void everyConfiguredLimitIsABean() {
		this.runner.run((context) -> assertThat(context).hasBean("ratelimit.bucket.orders")
			.hasBean("ratelimit.bucket.downloads"));
	}

	@Test
	void theBeanIsTheBucketOfTheAnnotation() {
		this.runner.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.place();
			assertThat(orders.bucket().availableTokens()).isEqualTo(1);
			assertThat(orders.bucket().tryAcquire()).isTrue();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(orders::place);
		});
	}

	@Test
	void singleKeysHaveLimitsOfTheirOwn() {
		this.runner.run((context) -> assertThat(
				context.getBean(RateLimiterRegistry.class).get("orders").bucket("partner-7").limit().rate())
			.isEqualTo(3));
	}

	@Test
	void anEnvironmentVariableTunesALimitWhateverTheSpelling() {
		Map<String, Object> variables = new HashMap<>(Map.of("RATELIMIT_BUCKETS_ORDERS_RATE", "7"));
		LimitedApplication.with(Orders.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new org.springframework.core.env.SystemEnvironmentPropertySource("test-systemEnvironment",
						variables)))
			.withPropertyValues("ratelimit.buckets.orders.rate=2")
			.run((context) -> assertThat(
					context.getBean(RateLimiterRegistry.class).get("orders").bucket().limit().rate())
				.isEqualTo(7));
	}

	static class Orders {

		private final TokenBucket bucket;

		Orders(@Qualifier("orders") TokenBucket bucket) {
			this.bucket = bucket;
		}

		TokenBucket bucket() {
			return this.bucket;
		}

		@RateLimited("orders")
		void place() {
		}

	}

}
