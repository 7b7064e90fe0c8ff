package dev.ratelimit.autoconfigure;

import java.time.Duration;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Buckets of the properties as beans, and limits found in the registry.
 */
class BucketBeansTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
		.withBean(TimeSource.class, ManualTimeSource::new);

	@Test
	void everyBucketIsABeanWithThePrefixedName() {
		this.runner
			.withPropertyValues("ratelimit.buckets.orders.rate=2", "ratelimit.buckets.mails.rate=7",
					"ratelimit.buckets.mails.per=1m")
			.run((context) -> {
				assertThat(context.getBeanNamesForType(TokenBucket.class))
					.containsExactlyInAnyOrder("ratelimit.bucket.orders", "ratelimit.bucket.mails");
				assertThat(context.getBean("ratelimit.bucket.orders", TokenBucket.class).limit())
					.isEqualTo(RateLimit.perSecond(2));
				assertThat(context.getBean("ratelimit.bucket.mails", TokenBucket.class).limit())
					.isEqualTo(RateLimit.of(7, Duration.ofMinutes(1), 7));
			});
	}

	@Test
	void aBucketIsInjectedByItsQualifier() {
		this.runner.withBean(Consumer.class)
			.withPropertyValues("ratelimit.buckets.orders.rate=2", "ratelimit.buckets.mails.rate=7")
			.run((context) -> assertThat(context.getBean(Consumer.class).bucket.limit())
				.isEqualTo(RateLimit.perSecond(2)));
	}

	@Test
	void theOnlyBucketIsInjectedByItsType() {
		this.runner.withBean(UnqualifiedConsumer.class)
			.withPropertyValues("ratelimit.buckets.orders.rate=2")
			.run((context) -> assertThat(context.getBean(UnqualifiedConsumer.class).bucket.limit())
				.isEqualTo(RateLimit.perSecond(2)));
	}

	@Test
	void aBeanOfTheUserWithTheSameNameStaysWhatItIs() {
		this.runner.withBean("orders", StringBuilder.class, StringBuilder::new)
			.withBean(Consumer.class)
			.withPropertyValues("ratelimit.buckets.orders.rate=2")
			.run((context) -> {
				assertThat(context.getBean("orders")).isInstanceOf(StringBuilder.class);
				assertThat(context.getBean(Consumer.class).bucket.limit()).isEqualTo(RateLimit.perSecond(2));
			});
	}

	@Test
	void livesBesideTheRegistryOfAnotherLibrary() {
		this.runner.withBean("rateLimiterRegistry", StringBuilder.class, StringBuilder::new)
			.withPropertyValues("ratelimit.buckets.orders.rate=2")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RateLimiterRegistry.class));
	}

	@Test
	void beanAnnotationAndRegistryShareOneBucket() {
		this.runner.withBean(Orders.class).withPropertyValues("ratelimit.buckets.orders.capacity=3").run((context) -> {
			context.getBean(TokenBucket.class).tryAcquire();
			context.getBean(Orders.class).place();
			assertThat(context.getBean(RateLimiterRegistry.class).get("orders").bucket().tryAcquire()).isTrue();
			assertThat(context.getBean(TokenBucket.class).tryAcquire()).isFalse();
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(context.getBean(Orders.class)::place);
		});
	}

	@Test
	void aBucketWhoseRateStandsAtAnAnnotationIsInjectedIntoAnEarlierBean() {
		new ApplicationContextRunner().withBean(Consumer.class)
			.withBean(Orders.class)
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
			.withPropertyValues("ratelimit.buckets.orders.capacity=3")
			.run((context) -> assertThat(context.getBean(Consumer.class).bucket.limit())
				.isEqualTo(RateLimit.of(1, Duration.ofSeconds(1), 3)));
	}

	@Test
	void aDottedNameInBracketsIsABeanOfThatName() {
		this.runner.withPropertyValues("ratelimit.buckets[OrderService.place].rate=2")
			.run((context) -> assertThat(context.getBeanNamesForType(TokenBucket.class))
				.containsExactly("ratelimit.bucket.OrderService.place"));
	}

	@Test
	void aDottedNameInBracketsIsAQualifier() {
		this.runner.withBean(DottedConsumer.class)
			.withPropertyValues("ratelimit.buckets[OrderService.place].rate=2", "ratelimit.buckets.mails.rate=7")
			.run((context) -> assertThat(context.getBean(DottedConsumer.class).bucket.limit())
				.isEqualTo(RateLimit.perSecond(2)));
	}

	@Test
	void aDottedNameInBracketsTunesTheMethodOfThatDefaultName() {
		this.runner.withBean(OrderService.class)
			.withPropertyValues("ratelimit.buckets[OrderService.place].rate=2")
			.run((context) -> {
				OrderService service = context.getBean(OrderService.class);
				service.place();
				assertThat(context.getBean(TokenBucket.class).tryAcquire()).isTrue();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::place)
					.satisfies((ex) -> assertThat(ex.getBucketName()).isEqualTo("OrderService.place"));
			});
	}

	@Test
	void anAnnotationAloneMakesNoBean() {
		this.runner.withBean(Orders.class).run((context) -> {
			assertThat(context).doesNotHaveBean(TokenBucket.class);
			assertThat(context.getBean(RateLimiterRegistry.class).get("orders").bucket().limit())
				.isEqualTo(RateLimit.perSecond(1));
		});
	}

	@Test
	void theRegistryGivesEveryKeyItsOwnBucket() {
		this.runner.withPropertyValues("ratelimit.buckets.orders.rate=2").run((context) -> {
			RateLimiterRegistry registry = context.getBean(RateLimiterRegistry.class);
			assertThat(registry.get("orders").bucket("alice").tryAcquire(2)).isTrue();
			assertThat(registry.get("orders").bucket("alice").availableTokens()).isZero();
			assertThat(registry.get("orders").bucket("bob").availableTokens()).isEqualTo(2);
			assertThat(registry.get("orders").bucket().availableTokens()).isEqualTo(2);
		});
	}

	@Test
	void theRegistryRefillsEveryBucket() {
		this.runner.withBean(Orders.class).withPropertyValues("ratelimit.buckets.mails.rate=2").run((context) -> {
			RateLimiterRegistry registry = context.getBean(RateLimiterRegistry.class);
			context.getBean(Orders.class).place();
			registry.get("mails").bucket("alice").tryAcquire(2);
			context.getBean(TokenBucket.class).tryAcquire();
			registry.refillAll();
			assertThatNoException().isThrownBy(context.getBean(Orders.class)::place);
			assertThat(registry.get("mails").bucket("alice").availableTokens()).isEqualTo(2);
			assertThat(context.getBean(TokenBucket.class).availableTokens()).isEqualTo(2);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "orderApi", "orderapi", "ORDER_API", "order-api", "Order_Api" })
	void theRegistryFindsANameInAnySpelling(String spelling) {
		this.runner.withPropertyValues("ratelimit.buckets.orderApi.rate=2").run((context) -> {
			RateLimiterRegistry registry = context.getBean(RateLimiterRegistry.class);
			assertThat(registry.get(spelling)).isSameAs(registry.get("orderApi"));
			assertThat(registry.get(spelling).name()).isEqualTo("orderApi");
		});
	}

	@Test
	void anAnnotationInAnotherSpellingUsesTheBucketOfTheProperties() {
		this.runner.withBean(OrderApi.class).withPropertyValues("ratelimit.buckets.order-api.rate=1").run((context) -> {
			assertThat(context.getBean(TokenBucket.class).tryAcquire()).isTrue();
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(context.getBean(OrderApi.class)::call);
		});
	}

	@Test
	void theRegistryRefusesANameThatNobodyUses() {
		this.runner.withPropertyValues("ratelimit.buckets.orders.rate=2")
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(RateLimiterRegistry.class).get("odrers"))
				.withMessageContaining("odrers")
				.withMessageContaining("orders"));
	}

	@Test
	void anUnknownQualifierFailsStartup() {
		this.runner.withBean(Consumer.class)
			.withPropertyValues("ratelimit.buckets.mails.rate=2")
			.run((context) -> assertThat(context).getFailure()
				.hasRootCauseInstanceOf(NoSuchBeanDefinitionException.class));
	}

	static class Orders {

		@RateLimited(name = "orders", rate = 1)
		void place() {
		}

	}

	static class OrderService {

		@RateLimited(rate = 1)
		void place() {
		}

	}

	static class OrderApi {

		@RateLimited("orderApi")
		void call() {
		}

	}

	static class Consumer {

		private final TokenBucket bucket;

		Consumer(@Qualifier("orders") TokenBucket bucket) {
			this.bucket = bucket;
		}

	}

	static class DottedConsumer {

		private final TokenBucket bucket;

		DottedConsumer(@Qualifier("OrderService.place") TokenBucket bucket) {
			this.bucket = bucket;
		}

	}

	static class UnqualifiedConsumer {

		private final TokenBucket bucket;

		UnqualifiedConsumer(TokenBucket bucket) {
			this.bucket = bucket;
		}

	}

}
