package dev.ratelimit.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.autoconfigure.RateLimitAspectAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitMetricsAutoConfiguration;
import dev.ratelimit.core.LogRecords;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.SilentStore;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucket;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the meters count.
 */
@ExtendWith(OutputCaptureExtension.class)
class RateLimitMetricsTests {

	private static final AutoConfigurations AUTO_CONFIGURATIONS = AutoConfigurations.of(
			RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class,
			RateLimitMetricsAutoConfiguration.class);

	private final ManualTimeSource time = new ManualTimeSource();

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private final ApplicationContextRunner withoutMeters = new ApplicationContextRunner()
		.withConfiguration(AUTO_CONFIGURATIONS)
		.withBean(TimeSource.class, () -> this.time)
		.withBean(Api.class)
		.withPropertyValues("ratelimit.buckets.configured.rate=2", "ratelimit.buckets.configured.shadow=true",
				"ratelimit.buckets.keyed.rate=1", "ratelimit.buckets.keyed.keys.vip.unlimited=true");

	private final ApplicationContextRunner runner = this.withoutMeters.withBean("meters", MeterRegistry.class,
			() -> this.meters);

	@Test
	void everyMeterIsThereAtZeroFromStartup() {
		this.runner.run((context) -> {
			for (String bucket : List.of("configured", "keyed", "refusing", "waiting")) {
				for (String outcome : List.of("allowed", "waited", "rejected", "cancelled", "shadowed", "exempt")) {
					assertThat(requests(bucket, outcome)).isZero();
				}
				assertThat(this.meters.get("ratelimit.wait").tag("bucket", bucket).timer().count()).isZero();
				assertThat(this.meters.get("ratelimit.store.errors")
					.tags("bucket", bucket, "store", "local")
					.counter()
					.count()).isZero();
				assertThat(gauge("waiters", bucket)).isZero();
				assertThat(gauge("keys", bucket)).isZero();
				assertThat(dropped(bucket)).isZero();
			}
			assertThat(gauge("tokens", "configured")).isEqualTo(2);
			assertThat(gauge("tokens", "refusing")).isEqualTo(3);
		});
	}

	@Test
	void countsEveryCallOnce() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			for (int i = 0; i < 5; i++) {
				refusedOrNot(api::refusing);
			}
			context.getBean(RateLimiterRegistry.class).get("refusing").bucket().tryAcquire();
			assertThat(requests("refusing", "allowed")).isEqualTo(3);
			assertThat(requests("refusing", "rejected")).isEqualTo(3);
			assertThat(gauge("tokens", "refusing")).isZero();
		});
	}

	@Test
	void countsUnlimitedAndShadowedCalls() {
		this.runner.run((context) -> {
			context.getBean(Api.class).keyed("vip");
			assertThat(requests("keyed", "exempt")).isEqualTo(1);
			TokenBucket bucket = context.getBean("ratelimit.bucket.configured", TokenBucket.class);
			bucket.tryAcquire(2);
			bucket.tryAcquire(2);
			assertThat(requests("configured", "allowed")).isEqualTo(1);
			assertThat(requests("configured", "shadowed")).isEqualTo(1);
		});
	}

	@Test
	void countsAWaitWhenItEnds() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.waiting();
			CompletionStage<String> waiting = api.waiting();
			assertThat(gauge("waiters", "waiting")).isEqualTo(1);
			assertThat(requests("waiting", "waited")).isZero();
			assertThat(this.meters.get("ratelimit.wait").tag("bucket", "waiting").timer().count()).isZero();
			this.time.advance(Duration.ofMillis(500));
			waiting.toCompletableFuture().get(30, TimeUnit.SECONDS);
			assertThat(gauge("waiters", "waiting")).isZero();
			assertThat(requests("waiting", "allowed")).isEqualTo(1);
			assertThat(requests("waiting", "waited")).isEqualTo(1);
			assertThat(
					this.meters.get("ratelimit.wait").tag("bucket", "waiting").timer().totalTime(TimeUnit.MILLISECONDS))
				.isEqualTo(500);
		});
	}

	@Test
	void countsACallThatGivesUp() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.waiting();
			api.waiting().toCompletableFuture().cancel(false);
			assertThat(requests("waiting", "cancelled")).isEqualTo(1);
			this.time.advance(Duration.ofSeconds(5));
			assertThat(requests("waiting", "waited")).isZero();
		});
	}

	@Test
	void showsTheNumberOfKeysAndNoKey() {
		this.runner.run((context) -> {
			context.getBean(Api.class).keyed("alice");
			context.getBean(Api.class).keyed("bob");
			refusedOrNot(() -> context.getBean(Api.class).keyed("bob"));
			assertThat(gauge("keys", "keyed")).isEqualTo(2);
			assertThat(requests("keyed", "rejected")).isEqualTo(1);
			assertThat(this.meters.getMeters()).flatExtracting((meter) -> meter.getId().getTags())
				.extracting(Tag::getKey)
				.containsOnly("bucket", "outcome", "store");
			assertThat(this.meters.getMeters()).noneMatch((meter) -> meter.getId().toString().contains("alice"));
		});
	}

	@Test
	void countsKeysThatAreDroppedToMakeRoom() {
		this.runner.withPropertyValues("ratelimit.buckets.keyed.max-keys=10").run((context) -> {
			for (int i = 0; i < 1_000; i++) {
				context.getBean(Api.class).keyed("user-" + i);
			}
			assertThat(gauge("keys", "keyed")).isEqualTo(10);
			assertThat(dropped("keyed")).isEqualTo(990);
		});
	}

	@Test
	void countsWhatTheStoreFailsToAnswerAndAsksItForNothingItself() {
		this.runner.withBean(SilentStore.class)
			.withPropertyValues("ratelimit.buckets.far.rate=1", "ratelimit.buckets.far.store=silent")
			.run((context) -> {
				context.getBean(RateLimiterRegistry.class).get("far").bucket().tryAcquire();
				assertThat(requests("far", "allowed")).isEqualTo(1);
				assertThat(gauge("tokens", "far")).isZero();
				assertThat(gauge("keys", "far")).isZero();
				assertThat(this.meters.get("ratelimit.store.errors")
					.tags("bucket", "far", "store", "silent")
					.counter()
					.count()).isEqualTo(1);
			});
	}

	@Test
	void aLimitThatIsDeclaredLaterGetsItsMetersThen() {
		this.runner.run((context) -> {
			Late late = (Late) context.getAutowireCapableBeanFactory().initializeBean(new Late(), "late");
			assertThat(this.meters.find("ratelimit.requests").tag("bucket", "late").meters()).isEmpty();
			late.call();
			assertThat(requests("late", "allowed")).isEqualTo(1);
			assertThat(requests("late", "rejected")).isZero();
		});
	}

	@Test
	void countsCallsMadeBeforeTheMetersAreThereAndDoesNotMakeThemForThat() {
		this.withoutMeters.withUserConfiguration(EarlyConfiguration.class)
			.withPropertyValues("ratelimit.buckets.early.rate=1")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				MeterRegistry late = context.getBean(MeterRegistry.class);
				assertThat(
						late.get("ratelimit.requests").tags("bucket", "early", "outcome", "allowed").counter().count())
					.isEqualTo(1);
				assertThat(
						late.get("ratelimit.requests").tags("bucket", "early", "outcome", "rejected").counter().count())
					.isEqualTo(1);
				assertThat(context.getBean(Early.class).metersWereThere).isFalse();
			});
	}

	@Test
	void commonTagsAndFiltersApply() {
		this.meters.config()
			.commonTags("region", "north")
			.meterFilter(MeterFilter.denyNameStartsWith("ratelimit.keys"))
			.meterFilter(MeterFilter.renameTag("ratelimit", "bucket", "limit"));
		this.runner.run((context) -> {
			context.getBean(Api.class).refusing();
			assertThat(this.meters.get("ratelimit.requests")
				.tags("region", "north", "limit", "refusing", "outcome", "allowed")
				.counter()
				.count()).isEqualTo(1);
			assertThat(this.meters.find("ratelimit.keys").meters()).isEmpty();
		});
	}

	@Test
	void severalRegistriesCountAlike() {
		SimpleMeterRegistry second = new SimpleMeterRegistry();
		this.runner.withBean("second", MeterRegistry.class, () -> second).run((context) -> {
			context.getBean(Api.class).refusing();
			for (MeterRegistry registry : List.of(this.meters, second)) {
				assertThat(registry.get("ratelimit.requests")
					.tags("bucket", "refusing", "outcome", "allowed")
					.counter()
					.count()).isEqualTo(1);
			}
		});
	}

	@Test
	void leavesTheGlobalRegistryAlone() {
		this.runner.run((context) -> {
			context.getBean(Api.class).refusing();
			assertThat(Metrics.globalRegistry.find("ratelimit.requests").meters()).isEmpty();
		});
	}

	@Test
	void aRegistryThatRefusesMetersBreaksNoCallAndIsWarnedOfOnce(CapturedOutput output) {
		this.meters.config().meterFilter(new MeterFilter() {

			@Override
			public Meter.Id map(Meter.Id id) {
				throw new IllegalStateException("registry is broken");
			}

		});
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(Api.class).refusing();
			context.getBean(Api.class).keyed("alice");
			assertThat(output.getAll().split("could not be registered", -1)).hasSize(2);
		});
	}

	@Test
	void aCounterThatThrowsBreaksNoCallAndIsWarnedOfOnce() {
		MeterRegistry broken = new SimpleMeterRegistry() {

			@Override
			protected Counter newCounter(Meter.Id id) {
				return new BrokenCounter(id);
			}

		};
		try (LogRecords log = LogRecords.of(RateLimitListener.class)) {
			this.withoutMeters.withBean("broken", MeterRegistry.class, () -> broken).run((context) -> {
				Api api = context.getBean(Api.class);
				api.refusing();
				api.refusing();
				api.keyed("alice");
				api.refusing();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(api::refusing);
				assertThat(log.messages(Level.WARNING)).hasSize(1);
			});
		}
	}

	@Test
	void nothingIsCountedWhereMetricsAreOff() {
		this.runner.withPropertyValues("ratelimit.metrics.enabled=false").run((context) -> {
			context.getBean(Api.class).refusing();
			assertThat(this.meters.getMeters()).isEmpty();
			assertThat(context).doesNotHaveBean(RateLimitListener.class);
		});
	}

	@Test
	void limitsWithoutARegistry() {
		this.withoutMeters.run((context) -> {
			context.getBean(Api.class).refusing();
			assertThat(context).doesNotHaveBean(RateLimitListener.class);
		});
	}

	@Test
	void limitsWithoutMicrometer() {
		new ApplicationContextRunner().withConfiguration(AUTO_CONFIGURATIONS)
			.withPropertyValues("ratelimit.buckets.orders.rate=1")
			.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(TokenBucket.class).tryAcquire()).isTrue();
				assertThat(context).doesNotHaveBean("rateLimitMetrics");
			});
	}

	private double requests(String bucket, String outcome) {
		return this.meters.get("ratelimit.requests").tags("bucket", bucket, "outcome", outcome).counter().count();
	}

	private double gauge(String name, String bucket) {
		return this.meters.get("ratelimit." + name).tag("bucket", bucket).gauge().value();
	}

	private double dropped(String bucket) {
		return this.meters.get("ratelimit.keys.dropped").tag("bucket", bucket).functionCounter().count();
	}

	private static void refusedOrNot(Runnable call) {
		try {
			call.run();
		}
		catch (RateLimitExceededException ex) {
			assertThat(ex.getBucketName()).isNotEmpty();
		}
	}

	static class Api {

		@RateLimited(name = "refusing", rate = 3)
		void refusing() {
		}

		@RateLimited(name = "keyed", key = "#key")
		void keyed(String key) {
		}

		@RateLimited(name = "waiting", rate = 2, capacity = 1, mode = RateLimitMode.WAIT)
		CompletionStage<String> waiting() {
			return CompletableFuture.completedStage("done");
		}

	}

	static class Late {

		@RateLimited(name = "late", rate = 3)
		void call() {
		}

	}

	static final class Early implements BeanPostProcessor {

		private final boolean metersWereThere;

		Early(TokenBucket bucket, BeanFactory beanFactory) {
			bucket.tryAcquire();
			bucket.tryAcquire();
			this.metersWereThere = ((SingletonBeanRegistry) beanFactory).containsSingleton("lateMeters");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyConfiguration {

		@Bean
		static Early early(RateLimiterRegistry registry, BeanFactory beanFactory) {
			return new Early(registry.get("early").bucket(), beanFactory);
		}

		@Bean
		MeterRegistry lateMeters() {
			return new SimpleMeterRegistry();
		}

	}

	private record BrokenCounter(Meter.Id id) implements Counter {

		@Override
		public void increment(double amount) {
			throw new IllegalStateException("counter is broken");
		}

		@Override
		public double count() {
			return 0;
		}

		@Override
		public Meter.Id getId() {
			return this.id;
		}

	}

}
