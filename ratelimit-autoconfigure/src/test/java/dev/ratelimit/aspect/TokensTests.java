package dev.ratelimit.aspect;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.ratelimit.aspect.Limits.available;
import static dev.ratelimit.aspect.Limits.passes;
import static dev.ratelimit.aspect.Limits.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * How many tokens a call takes.
 */
class TokensTests {

	private final ApplicationContextRunner runner = Limits.runner().withBean(Api.class);

	@Test
	void takesAConstantNumber() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::constant)).isEqualTo(3);
			assertThat(refusal(api::constant).getTokens()).isEqualTo(3);
			assertThat(available(context, "constant")).isEqualTo(1);
		});
	}

	@Test
	void takesWhatAnExpressionSays() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.upload(new File(6));
			assertThat(available(context, "upload")).isEqualTo(4);
			assertThat(refusal(() -> api.upload(new File(5))).getTokens()).isEqualTo(5);
			api.upload(new File(4));
			assertThat(available(context, "upload")).isZero();
		});
	}

	@ParameterizedTest
	@MethodSource
	void takesAWholeNumberOfAnyType(Object tokens) {
		this.runner.run((context) -> {
			context.getBean(Api.class).any(tokens);
			assertThat(available(context, "any")).isEqualTo(7);
		});
	}

	static Stream<Object> takesAWholeNumberOfAnyType() {
		return Stream.of(3, 3L, (short) 3, 3.0, new BigDecimal("3.0"), new AtomicLong(3));
	}

	@ParameterizedTest
	@ValueSource(classes = { MoreThanCapacity.class, Nothing.class, Negative.class })
	void reportsAConstantNumberThatCanNeverPassAtStartup(Class<?> type) {
		this.runner.withBean(type)
			.run((context) -> assertThat(Limits.report(context)).contains(type.getName() + ".call()", "tokens", "10"));
	}

	@ParameterizedTest
	@ValueSource(classes = { Fraction.class, Text.class, NoArithmetic.class })
	void reportsAConstantThatIsNoWholeNumberAtStartup(Class<?> type) {
		this.runner.withBean(type)
			.run((context) -> assertThat(Limits.report(context)).contains(type.getName() + ".call()", "tokens"));
	}

	@Test
	void reportsASumOfConstantsThatCanNeverPassAtStartup() {
		this.runner.withBean(Sum.class)
			.run((context) -> assertThat(Limits.report(context)).contains(Sum.class.getName() + ".call()", "10"));
	}

	@Test
	void reportsAConstantNumberThatIsMoreThanAConfiguredCapacity() {
		this.runner.withPropertyValues("ratelimit.buckets.constant.capacity=2")
			.run((context) -> assertThat(Limits.report(context)).contains(Api.class.getName() + ".constant()",
					"tokens = \"3\"", "'constant'", "2"));
	}

	@Test
	void acceptsAConstantNumberThatAConfiguredCapacityMakesPossible() {
		this.runner.withBean(MoreThanCapacity.class)
			.withPropertyValues("ratelimit.buckets[MoreThanCapacity.call].capacity=11")
			.run((context) -> assertThat(passes(context.getBean(MoreThanCapacity.class)::call)).isEqualTo(1));
	}

	@Test
	void refusesForEverWhatIsMoreThanTheCapacity() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(refusal(() -> api.upload(new File(11)))).satisfies((ex) -> {
				assertThat(ex.getRetryAfter()).isNull();
				assertThat(ex.getTokens()).isEqualTo(11);
				assertThat(ex.getLimit().capacity()).isEqualTo(10);
				assertThat(ex).hasMessageContaining("never");
			});
			assertThat(available(context, "upload")).isEqualTo(10);
		});
	}

	@Test
	void refusesForEverWhatIsMoreThanTheCapacityInsteadOfWaiting() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(refusal(() -> api.await(11)).getRetryAfter()).isNull();
			assertThat(refusal(() -> api.await(Long.MAX_VALUE)).getRetryAfter()).isNull();
			assertThat(available(context, "await")).isEqualTo(10);
		});
	}

	@Test
	void doesNotRunTheBodyOfACallThatIsRefusedForEver() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			refusal(() -> api.upload(new File(11)));
			assertThat(Api.uploads).hasValue(0);
		});
	}

	@ParameterizedTest
	@MethodSource
	void failsACallThatCostsNoWholeNumber(Object tokens) {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThatThrownBy(() -> api.any(tokens)).isNotInstanceOf(RateLimitExceededException.class)
				.hasMessageContainingAll("tokens = \"#tokens\"", Api.class.getName() + ".any(Object)",
						String.valueOf(tokens));
			assertThat(available(context, "any")).isEqualTo(10);
		});
	}

	static Stream<Object> failsACallThatCostsNoWholeNumber() {
		return Stream.of(0, -1, Long.MIN_VALUE, null, 1.5, new BigDecimal("0.1"), Double.NaN, Double.POSITIVE_INFINITY,
				"3", new File(3));
	}

	@ParameterizedTest
	@MethodSource
	void failsOrRefusesACallThatCostsMoreThanANumberHolds(Object tokens) {
		this.runner.run((context) -> {
			assertThatThrownBy(() -> context.getBean(Api.class).any(tokens)).isInstanceOf(RuntimeException.class);
			assertThat(available(context, "any")).isEqualTo(10);
		});
	}

	static Stream<Object> failsOrRefusesACallThatCostsMoreThanANumberHolds() {
		return Stream.of(1e30, new BigDecimal("1e30"), new BigDecimal("18446744073709551617"),
				new BigInteger("18446744073709551617"));
	}

	@Test
	void takesNothingOfOtherLimitsWhereThePriceFails() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThatThrownBy(() -> api.second(0)).isNotInstanceOf(RateLimitExceededException.class);
			refusal(() -> api.second(11));
			assertThat(available(context, "first")).isEqualTo(10);
		});
	}

	record File(long size) {

	}

	static class Api {

		static final AtomicLong uploads = new AtomicLong();

		Api() {
			uploads.set(0);
		}

		@RateLimited(name = "constant", rate = 10, tokens = "3")
		void constant() {
		}

		@RateLimited(name = "upload", rate = 10, tokens = "#file.size")
		void upload(File file) {
			uploads.incrementAndGet();
		}

		@RateLimited(name = "any", rate = 10, tokens = "#tokens")
		void any(Object tokens) {
		}

		@RateLimited(name = "await", rate = 10, tokens = "#tokens", mode = RateLimitMode.WAIT)
		void await(long tokens) {
		}

		@RateLimited(name = "first", rate = 10)
		@RateLimited(name = "second", rate = 10, tokens = "#tokens")
		void second(int tokens) {
		}

	}

	static class Fraction {

		@RateLimited(rate = 10, tokens = "1.5")
		void call() {
		}

	}

	static class Text {

		@RateLimited(rate = 10, tokens = "'3'")
		void call() {
		}

	}

	static class NoArithmetic {

		@RateLimited(rate = 10, tokens = "'a' * 2")
		void call() {
		}

	}

	static class Sum {

		@RateLimited(rate = 10, tokens = "6 + 5")
		void call() {
		}

	}

	static class MoreThanCapacity {

		@RateLimited(rate = 10, tokens = "11")
		void call() {
		}

	}

	static class Nothing {

		@RateLimited(rate = 10, tokens = "0")
		void call() {
		}

	}

	static class Negative {

		@RateLimited(rate = 10, tokens = "-1")
		void call() {
		}

	}

}
