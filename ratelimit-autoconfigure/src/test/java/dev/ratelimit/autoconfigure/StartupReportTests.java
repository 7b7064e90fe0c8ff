package dev.ratelimit.autoconfigure;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
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
			assertThat(output).containsOnlyOnce("Rate limits: 2, 2 in store 'local'").doesNotContain(WARNING);
			assertThat(output.getAll().lines().filter((line) -> line.contains(" INFO ")))
				.filteredOn((line) -> line.contains("ratelimit"))
				.hasSize(1);
		});
	}

	@Test
	void countsLimitsWhereAnnotatedMethodsAreNotLimited(CapturedOutput output) {
		this.runner.withBean(Api.class)
			.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(output).contains("Rate limits: 2, 2 in store 'local'"));
	}

	@Test
	void warnsOfLocalBucketsWhereThereIsAConnectionToShareThem(CapturedOutput output) {
		this.runner.withBean(Connection.class).run((context) -> {
			report(context, new MockEnvironment(), Connection.class.getName());
			assertThat(output).containsOnlyOnce(WARNING);
		});
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
		new StartupReport(context.getBean(RateLimiterRegistry.class), context, environment, connection)
			.afterSingletonsInstantiated();
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
