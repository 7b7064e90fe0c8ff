package dev.ratelimit.autoconfigure;

import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a user reads where a bucket cannot be injected.
 */
@ExtendWith(OutputCaptureExtension.class)
class BucketInjectionFailureTests {

	private static final String ORDERS = "ratelimit.buckets.orders.rate=1";

	private static final String MAILS = "ratelimit.buckets.mails.rate=1";

	@Test
	void namesTheBucketThatIsNearest(CapturedOutput output) {
		fail(Misspelt.class, MAILS, ORDERS);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Misspelt (constructor parameter 0) asks for a TokenBucket named 'ordres',"
						+ " but below ratelimit.buckets there are mails, orders",
				"Did you mean @Qualifier(\"orders\")? Otherwise set ratelimit.buckets.ordres.rate.");
	}

	@Test
	void suggestsNoBucketThatHasAnotherName(CapturedOutput output) {
		fail(Misspelt.class, MAILS);
		assertThat(output)
			.contains("APPLICATION FAILED TO START", "'ordres'", "Set ratelimit.buckets.ordres.rate. A limit")
			.doesNotContain("Did you mean");
	}

	@Test
	void saysWhereThereAreNoBuckets(CapturedOutput output) {
		fail(Misspelt.class);
		assertThat(output).contains("APPLICATION FAILED TO START", "'ordres'",
				"but there is none below ratelimit.buckets", "ratelimit.buckets.ordres.rate", "RateLimiterRegistry");
	}

	@Test
	void asksForANameWhereThereIsNone(CapturedOutput output) {
		fail(Unnamed.class);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Unnamed (field 'bucket') asks for a TokenBucket without a name", "Set ratelimit.buckets.<name>.rate");
	}

	@Test
	void asksForANameWhereThereAreSeveral(CapturedOutput output) {
		fail(Unnamed.class, MAILS, ORDERS);
		assertThat(output)
			.contains("APPLICATION FAILED TO START",
					"Unnamed (field 'bucket') asks for a TokenBucket without a name,"
							+ " but below ratelimit.buckets there are mails, orders",
					"Say which: @Qualifier(\"mails\")");
	}

	@Test
	void explainsTheInnermostOfSeveralBeans(CapturedOutput output) {
		fail(Outer.class, ORDERS);
		assertThat(output).contains("Outer (method 'misspelt' parameter 0) asks for a TokenBucket named 'ordres'")
			.doesNotContain("Outer (constructor");
	}

	@Test
	void leavesOtherBeansToSpringBoot(CapturedOutput output) {
		fail(Other.class, ORDERS);
		assertThat(output).contains("APPLICATION FAILED TO START", "required a bean of type 'java.lang.StringBuilder'",
				"- User-defined bean method 'one'");
	}

	private static void fail(Class<?> bean, String... properties) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class, bean)
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.properties(properties);
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> application.run().close());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	static class Misspelt {

		Misspelt(@Qualifier("ordres") TokenBucket bucket) {
		}

	}

	static class Unnamed {

		@Autowired
		private TokenBucket bucket;

	}

	@Configuration(proxyBeanMethods = false)
	static class Outer {

		Outer(Misspelt misspelt) {
		}

		@Bean
		static Misspelt misspelt(@Qualifier("ordres") TokenBucket bucket) {
			return new Misspelt(bucket);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Other {

		Other(@Qualifier("two") StringBuilder builder) {
		}

		@Bean
		static StringBuilder one() {
			return new StringBuilder();
		}

	}

}
