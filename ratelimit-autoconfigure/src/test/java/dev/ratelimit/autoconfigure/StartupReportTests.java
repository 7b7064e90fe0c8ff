package dev.ratelimit.autoconfigure;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.LocalTokenBucketStore;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.RateLimiterSettings;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucket;
import dev.ratelimit.core.TokenBucketStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What startup logs about limits.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartupReportTests {

	private static final String WARNING = "There is a Redis connection, but buckets are in the memory of this node";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
				RateLimitAspectAutoConfiguration.class, RateLimitReportAutoConfiguration.class))
		.withPropertyValues("ratelimit.buckets.orders.rate=10");

	@Test
	void saysInOneLineHowManyLimitsThereAreAndWhere(CapturedOutput output) {
		this.runner.withBean(Api.class).run((context) -> {
			assertThat(output).containsOnlyOnce("2 rate limits in store 'local'" + System.lineSeparator())
				.doesNotContain(WARNING);
			assertThat(output.getAll().lines().filter((line) -> line.contains(" INFO ")))
				.filteredOn((line) -> line.contains("ratelimit"))
				.hasSize(1);
		});
	}

	@Test
	void saysThatNothingButCodeIsLimitedWhereLimitsAreOff(CapturedOutput output) {
		this.runner.withBean(Api.class)
			.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(output)
				.containsOnlyOnce("2 rate limits in store 'local'; since ratelimit.enabled is false,"
						+ " annotated methods and routes are not limited, nor checked" + System.lineSeparator()));
	}

	@Test
	void countsLimitsOfEachStore(CapturedOutput output) {
		this.runner.withBean(Api.class)
			.withBean(TokenBucketStore.class, FarStore::new)
			.withPropertyValues("ratelimit.buckets.annotated.store=far", "ratelimit.buckets.mails.rate=1")
			.run((context) -> assertThat(output)
				.containsOnlyOnce("3 rate limits: 1 in store 'far', 2 in store 'local'" + System.lineSeparator()));
	}

	@Test
	void countsOneLimitAndNone(CapturedOutput output) {
		this.runner.run((context) -> assertThat(output)
			.containsOnlyOnce("1 rate limit in store 'local'" + System.lineSeparator()));
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitReportAutoConfiguration.class))
			.run((context) -> assertThat(output).containsOnlyOnce("0 rate limits" + System.lineSeparator()));
	}

	@Test
	void warnsOfLocalBucketsWhereThereIsAConnectionToShareThem(CapturedOutput output) {
		this.runner.withBean(Connection.class).run((context) -> {
			report(context, new MockEnvironment(), Connection.class.getName());
			assertThat(output).containsOnlyOnce(WARNING);
		});
	}

	@Test
	void warnsOfLocalBucketsWhereThereIsARedisConnection(CapturedOutput output) {
		this.runner.withBean(LettuceConnectionFactory.class)
			.run((context) -> assertThat(output).containsOnlyOnce(WARNING));
	}

	@Test
	void doesNotWarnWhereLocalBucketsAreMeant(CapturedOutput output) {
		this.runner.withBean(Connection.class).run((context) -> {
			report(context, new MockEnvironment().withProperty("ratelimit.store", "local"), Connection.class.getName());
			assertThat(output).doesNotContain(WARNING);
		});
	}

	@Test
	void doesNotWarnWithoutAConnection(CapturedOutput output) {
		this.runner.run((context) -> {
			report(context, new MockEnvironment(), Connection.class.getName());
			report(context, new MockEnvironment(), "com.example.NotThere");
			assertThat(output).doesNotContain(WARNING);
		});
	}

	@Test
	void warnsOfAMisspeltLimitThatNothingUses(CapturedOutput output) {
		this.runner.withBean(Api.class)
			.withPropertyValues("ratelimit.buckets.anotated.rate=10")
			.run((context) -> assertThat(output).containsOnlyOnce(
					"Nothing uses the rate limit 'anotated' of ratelimit.buckets.anotated. Did you mean 'annotated'?"));
	}

	@Test
	void doesNotWarnOfALimitThatIsNearButInjected(CapturedOutput output) {
		this.runner.withBean(Api.class)
			.withBean(Injected.class)
			.withPropertyValues("ratelimit.buckets.anotated.rate=10")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain("Nothing uses");
			});
	}

	@Test
	void doesNotWarnOfALimitThatIsNearButOfARoute(CapturedOutput output) {
		this.runner.withBean(Api.class)
			.withPropertyValues("ratelimit.buckets.anotated.rate=10", "ratelimit.http.routes[0].bucket=anotated")
			.run((context) -> assertThat(output).doesNotContain("Nothing uses"));
	}

	@Test
	void doesNotWarnOfALimitWithAnotherName(CapturedOutput output) {
		this.runner.withBean(Api.class).run((context) -> assertThat(output).doesNotContain("Nothing uses"));
	}

	private static void report(AssertableApplicationContext context, MockEnvironment environment, String connection) {
		new StartupReport(context.getBean(RateLimiterRegistry.class), true, context, environment, connection)
			.afterSingletonsInstantiated();
	}

	static class FarStore implements TokenBucketStore {

		private final TokenBucketStore near = new LocalTokenBucketStore(TimeSource.system());

		@Override
		public String name() {
			return "far";
		}

		@Override
		public Buckets open(RateLimiterSettings settings) {
			return this.near.open(settings);
		}

	}

	static class Connection {

	}

	static class Injected {

		Injected(@Qualifier("anotated") TokenBucket bucket) {
		}

	}

	static class Api {

		@RateLimited(name = "annotated", rate = 2)
		void annotated() {
		}

	}

}
