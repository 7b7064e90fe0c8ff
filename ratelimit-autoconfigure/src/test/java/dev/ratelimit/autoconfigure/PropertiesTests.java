package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucket;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which setting is in force: that of the properties, else of the annotation, else the
 * default.
 */
class PropertiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
		.withBean(TimeSource.class, ManualTimeSource::autoAdvancing);

	@ParameterizedTest
	@CsvSource({ "unrelated=1, 2, 10s, 3", "ratelimit.buckets.orders.rate=5, 5, 10s, 3",
			"ratelimit.buckets.orders.per=1m, 2, 1m, 3", "ratelimit.buckets.orders.capacity=7, 2, 10s, 7" })
	void aPropertyWinsOverTheAnnotationAndLeavesItsOtherSettings(String property, double rate, String per,
			long capacity) {
		this.runner.withBean(FullySet.class).withPropertyValues(property).run((context) -> {
			assertThat(limit(context.getBean(RateLimiterRegistry.class), "orders"))
				.isEqualTo(RateLimit.of(rate, duration(per), capacity));
		});
	}

	@Test
	void everyPropertyOfABucketCountsTogether() {
		this.runner.withBean(FullySet.class)
			.withPropertyValues("ratelimit.buckets.orders.rate=0.5", "ratelimit.buckets.orders.per=PT1H",
					"ratelimit.buckets.orders.capacity=9")
			.run((context) -> assertThat(limit(context.getBean(RateLimiterRegistry.class), "orders"))
				.isEqualTo(RateLimit.of(0.5, Duration.ofHours(1), 9)));
	}

	@Test
	void aRateOfThePropertiesLimitsTheMethod() {
		this.runner.withBean(NameOnly.class)
			.withPropertyValues("ratelimit.buckets.orders.rate=3")
			.run((context) -> assertThat(passingCalls(context.getBean(NameOnly.class)::place)).isEqualTo(3));
	}

	@Test
	void aCapacityOfThePropertiesLimitsTheBurst() {
		this.runner.withBean(FullySet.class)
			.withPropertyValues("ratelimit.buckets.orders.capacity=7")
			.run((context) -> assertThat(passingCalls(context.getBean(FullySet.class)::place)).isEqualTo(7));
	}

	@Test
	void thePeriodIsASecondWhereNobodyNamesOne() {
		this.runner.withBean(NameOnly.class)
			.withPropertyValues("ratelimit.buckets.orders.rate=3")
			.run((context) -> assertThat(limit(context.getBean(RateLimiterRegistry.class), "orders"))
				.isEqualTo(RateLimit.perSecond(3)));
	}

	@Test
	void theCapacityIsTheRateInForceRoundedUpWhereNobodyNamesOne() {
		this.runner.withBean(RateOnly.class)
			.withPropertyValues("ratelimit.buckets.orders.rate=2.5")
			.run((context) -> assertThat(limit(context.getBean(RateLimiterRegistry.class), "orders").capacity())
				.isEqualTo(3));
	}

	@Test
	void theCapacityIsAtLeastOneWhereNobodyNamesOne() {
		this.runner.withBean(RateOnly.class)
			.withPropertyValues("ratelimit.buckets.orders.rate=0.1")
			.run((context) -> assertThat(limit(context.getBean(RateLimiterRegistry.class), "orders").capacity())
				.isEqualTo(1));
	}

	@Test
	void theModeOfThePropertiesMakesARefusingMethodWait() {
		this.runner.withBean(RateOnly.class).withPropertyValues("ratelimit.buckets.orders.mode=wait").run((context) -> {
			context.getBean(RateOnly.class).place();
			context.getBean(RateOnly.class).place();
			assertThat(now(context.getBean(TimeSource.class))).isEqualTo(Duration.ofSeconds(1));
		});
	}

	@Test
	void theModeOfThePropertiesMakesAWaitingMethodRefuse() {
		this.runner.withBean(Waiting.class)
			.withPropertyValues("ratelimit.buckets.orders.mode=reject")
			.run((context) -> assertThat(passingCalls(context.getBean(Waiting.class)::place)).isEqualTo(1));
	}

	@Test
	void theModeOfTheAnnotationHoldsWhereThePropertiesNameNone() {
		this.runner.withBean(Waiting.class).withPropertyValues("ratelimit.buckets.orders.capacity=2").run((context) -> {
			assertThat(passingCalls(context.getBean(Waiting.class)::place)).isEqualTo(20);
			assertThat(now(context.getBean(TimeSource.class))).isEqualTo(Duration.ofSeconds(18));
		});
	}

	@ParameterizedTest
	@CsvSource({ "5s, 3s, 10s", "1s, 3s, 0s", "0, 3s, 10s" })
	void theMaxWaitOfTheBucketWinsOverAnnotationAndDefault(String bucket, String annotation, String fallback) {
		this.runner.withBean(WaitingThreeSeconds.class)
			.withPropertyValues("ratelimit.buckets.orders.max-wait=" + bucket, "ratelimit.max-wait=" + fallback)
			.run((context) -> assertThat(
					longestWait(context.getBean(WaitingThreeSeconds.class)::place, context.getBean(TokenBucket.class)))
				.isEqualTo(duration(bucket)));
	}

	@Test
	void theMaxWaitOfTheAnnotationWinsOverTheDefault() {
		this.runner.withBean(WaitingThreeSeconds.class)
			.withPropertyValues("ratelimit.buckets.orders.enabled=true", "ratelimit.max-wait=10s")
			.run((context) -> assertThat(
					longestWait(context.getBean(WaitingThreeSeconds.class)::place, context.getBean(TokenBucket.class)))
				.isEqualTo(Duration.ofSeconds(3)));
	}

	@Test
	void theDefaultMaxWaitHoldsWhereNobodyNamesOne() {
		this.runner.withBean(Waiting.class)
			.withPropertyValues("ratelimit.buckets.orders.enabled=true", "ratelimit.max-wait=4s")
			.run((context) -> assertThat(
					longestWait(context.getBean(Waiting.class)::place, context.getBean(TokenBucket.class)))
				.isEqualTo(Duration.ofSeconds(4)));
	}

	@Test
	void theDefaultMaxWaitDoesNotMakeARefusingMethodWait() {
		this.runner.withBean(RateOnly.class)
			.withPropertyValues("ratelimit.max-wait=4s")
			.run((context) -> assertThat(passingCalls(context.getBean(RateOnly.class)::place)).isEqualTo(1));
	}

	@Test
	void aWaitHasNoBoundWhereNobodyNamesOne() {
		this.runner.withBean(Waiting.class).run((context) -> {
			TokenBucket bucket = context.getBean(RateLimiterRegistry.class).get("orders").bucket();
			for (int owed = 0; owed < 1000; owed++) {
				bucket.reserve(1, Duration.ofDays(1));
			}
			context.getBean(Waiting.class).place();
			assertThat(now(context.getBean(TimeSource.class))).isEqualTo(Duration.ofSeconds(1000));
		});
	}

	@Test
	void anAnnotationWithMaxWaitZeroNeverWaits() {
		this.runner.withBean(NeverWaiting.class)
			.withPropertyValues("ratelimit.max-wait=10s")
			.run((context) -> assertThat(passingCalls(context.getBean(NeverWaiting.class)::place)).isEqualTo(1));
	}

	@Test
	void refusesMoreWaitersThanMaxWaiters() {
		ManualTimeSource clock = new ManualTimeSource();
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
			.withBean(TimeSource.class, () -> clock)
			.withBean(Waiting.class)
			.withPropertyValues("ratelimit.buckets.orders.max-waiters=2")
			.run((context) -> {
				Waiting service = context.getBean(Waiting.class);
				service.place();
				FutureTask<Void> first = start(service::place);
				FutureTask<Void> second = start(service::place);
				awaitWaiters(clock, 2);
				FutureTask<Void> third = start(service::place);
				assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> third.get(10, TimeUnit.SECONDS))
					.withCauseInstanceOf(RateLimitExceededException.class);
				clock.advance(Duration.ofSeconds(2));
				first.get(10, TimeUnit.SECONDS);
				second.get(10, TimeUnit.SECONDS);
			});
	}

	@Test
	void theUnkeyedBucketStartsWithItsInitialTokens() {
		this.runner.withBean(FullySet.class)
			.withPropertyValues("ratelimit.buckets.orders.initial-tokens=2")
			.run((context) -> assertThat(passingCalls(context.getBean(FullySet.class)::place)).isEqualTo(2));
	}

	@Test
	void theUnkeyedBucketMayStartEmpty() {
		this.runner.withBean(FullySet.class)
			.withPropertyValues("ratelimit.buckets.orders.initial-tokens=0")
			.run((context) -> assertThat(passingCalls(context.getBean(FullySet.class)::place)).isZero());
	}

	@Test
	void aKeyedBucketStartsFullWhateverTheInitialTokens() {
		this.runner.withBean(FullySet.class)
			.withPropertyValues("ratelimit.buckets.orders.initial-tokens=1")
			.run((context) -> assertThat(
					context.getBean(RateLimiterRegistry.class).get("orders").bucket("alice").availableTokens())
				.isEqualTo(3));
	}

	@Test
	void aDisabledBucketLeavesItsMethodsUnlimited() {
		this.runner.withBean(FullySet.class)
			.withBean(WaitingByName.class)
			.withPropertyValues("ratelimit.buckets.orders.enabled=false")
			.run((context) -> {
				assertThat(passingCalls(context.getBean(FullySet.class)::place)).isEqualTo(20);
				assertThat(passingCalls(context.getBean(WaitingByName.class)::place)).isEqualTo(20);
				assertThat(now(context.getBean(TimeSource.class))).isZero();
			});
	}

	@Test
	void aDisabledBucketLeavesOtherBucketsLimiting() {
		this.runner.withBean(FullySet.class)
			.withBean(Default.class)
			.withPropertyValues("ratelimit.buckets.orders.enabled=false")
			.run((context) -> assertThat(passingCalls(context.getBean(Default.class)::place)).isEqualTo(4));
	}

	@Test
	void worksWithoutAnyProperty() {
		this.runner.withBean(Default.class).run((context) -> {
			assertThat(passingCalls(context.getBean(Default.class)::place)).isEqualTo(4);
			assertThat(limit(context.getBean(RateLimiterRegistry.class), "Default.place"))
				.isEqualTo(RateLimit.perSecond(4));
			assertThat(context).doesNotHaveBean(TokenBucket.class);
		});
	}

	@Test
	void worksWithoutAnyPropertyAndWithoutAnyAnnotation() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RateLimiterRegistry.class));
	}

	@Test
	void leavesEveryMethodUnlimitedWhenDisabled() {
		this.runner.withBean(FullySet.class)
			.withBean(Default.class)
			.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> {
				assertThat(passingCalls(context.getBean(FullySet.class)::place)).isEqualTo(20);
				assertThat(passingCalls(context.getBean(Default.class)::place)).isEqualTo(20);
			});
	}

	@Test
	void leavesBucketsInjectableAndLimitingWhenDisabled() {
		this.runner.withBean(FullySet.class)
			.withPropertyValues("ratelimit.enabled=false", "ratelimit.buckets.orders.rate=2",
					"ratelimit.buckets.orders.capacity=2")
			.run((context) -> {
				TokenBucket bucket = context.getBean(TokenBucket.class);
				assertThat(bucket.tryAcquire(2)).isTrue();
				assertThat(bucket.tryAcquire()).isFalse();
			});
	}

	@Test
	void findsTheRateOfABucketAtItsAnnotationAlsoWhenDisabled() {
		this.runner.withBean(RateOnly.class)
			.withPropertyValues("ratelimit.enabled=false", "ratelimit.buckets.orders.capacity=2")
			.run((context) -> {
				TokenBucket bucket = context.getBean(TokenBucket.class);
				assertThat(bucket.tryAcquire(2)).isTrue();
				assertThat(bucket.tryAcquire()).isFalse();
			});
	}

	@Test
	void startsDespiteMistakesInAnnotationsWhenDisabled() {
		this.runner.withBean(NameOnly.class)
			.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(passingCalls(context.getBean(NameOnly.class)::place)).isEqualTo(20));
	}

	@Test
	void standsInsideAnAdviceOfLowerOrder() {
		this.runner.withBean(Default.class)
			.withBean(Answering.class, () -> new Answering(0), PropertiesTests::infrastructure)
			.run((context) -> {
				assertThat(passingCalls(context.getBean(Default.class)::place)).isEqualTo(20);
				assertThat(availableTokens(context.getBean(RateLimiterRegistry.class), "Default.place")).isEqualTo(4);
			});
	}

	@Test
	void movesOutsideAnAdviceByItsOrder() {
		this.runner.withBean(Default.class)
			.withBean(Answering.class, () -> new Answering(0), PropertiesTests::infrastructure)
			.withPropertyValues("ratelimit.order=-1")
			.run((context) -> assertThat(passingCalls(context.getBean(Default.class)::place)).isEqualTo(4));
	}

	@ParameterizedTest
	@CsvSource({ "2147483546, 20", "2147483548, 4" })
	void standsAHundredFromTheLowestPrecedenceByDefault(int orderOfTheOther, int passing) {
		this.runner.withBean(Default.class)
			.withBean(Answering.class, () -> new Answering(orderOfTheOther), PropertiesTests::infrastructure)
			.run((context) -> assertThat(passingCalls(context.getBean(Default.class)::place)).isEqualTo(passing));
	}

	private static RateLimit limit(RateLimiterRegistry registry, String name) {
		return registry.get(name).bucket().limit();
	}

	private static long availableTokens(RateLimiterRegistry registry, String name) {
		return registry.get(name).bucket().availableTokens();
	}

	private static Duration now(TimeSource timeSource) {
		return Duration.ofNanos(timeSource.nanos());
	}

	private static Duration duration(String text) {
		return DurationStyle.detectAndParse(text, ChronoUnit.SECONDS);
	}

	private static int passingCalls(Runnable call) {
		for (int calls = 0; calls < 20; calls++) {
			try {
				call.run();
			}
			catch (RateLimitExceededException ex) {
				return calls;
			}
		}
		return 20;
	}

	private static Duration longestWait(Runnable call, TokenBucket bucket) {
		for (int seconds = 0; seconds < 20; seconds++) {
			for (int owed = 1; owed < seconds; owed++) {
				bucket.reserve(1, Duration.ofDays(1));
			}
			try {
				call.run();
			}
			catch (RateLimitExceededException ex) {
				return Duration.ofSeconds(seconds - 1);
			}
		}
		return Duration.ofSeconds(20);
	}

	private static void infrastructure(BeanDefinition definition) {
		definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
	}

	private static FutureTask<Void> start(Runnable call) {
		FutureTask<Void> task = new FutureTask<>(call, null);
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		thread.start();
		return task;
	}

	private static void awaitWaiters(ManualTimeSource clock, int waiters) {
		long start = System.nanoTime();
		while (clock.waiters() < waiters) {
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
			Thread.onSpinWait();
		}
	}

	static class FullySet {

		@RateLimited(name = "orders", rate = 2, per = "10s", capacity = 3)
		void place() {
		}

	}

	static class RateOnly {

		@RateLimited(name = "orders", rate = 1)
		void place() {
		}

	}

	static class NameOnly {

		@RateLimited("orders")
		void place() {
		}

	}

	static class Default {

		@RateLimited(rate = 4)
		void place() {
		}

	}

	static class Waiting {

		@RateLimited(name = "orders", rate = 1, mode = RateLimitMode.WAIT)
		void place() {
		}

	}

	static class WaitingByName {

		@RateLimited(name = "orders", mode = RateLimitMode.WAIT)
		void place() {
		}

	}

	static class WaitingThreeSeconds {

		@RateLimited(name = "orders", rate = 1, mode = RateLimitMode.WAIT, maxWait = "3s")
		void place() {
		}

	}

	static class NeverWaiting {

		@RateLimited(name = "orders", rate = 1, mode = RateLimitMode.WAIT, maxWait = "0")
		void place() {
		}

	}

	/**
	 * An advice that answers every {@code place()} itself.
	 */
	static class Answering extends DefaultPointcutAdvisor {

		Answering(int order) {
			super(placeMethods(), (MethodInterceptor) (invocation) -> null);
			setOrder(order);
		}

		private static NameMatchMethodPointcut placeMethods() {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.setMappedName("place");
			return pointcut;
		}

	}

}
