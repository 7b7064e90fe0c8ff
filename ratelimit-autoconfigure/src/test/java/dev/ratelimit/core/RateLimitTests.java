package dev.ratelimit.core;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests of {@link RateLimit}.
 */
class RateLimitTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@Test
	void holdsItsComponents() {
		RateLimit limit = RateLimit.of(7.77, Duration.ofMinutes(1), 20);
		assertThat(limit.rate()).isEqualTo(7.77);
		assertThat(limit.per()).isEqualTo(Duration.ofMinutes(1));
		assertThat(limit.capacity()).isEqualTo(20);
	}

	@Test
	void equalsALimitOfTheSameComponents() {
		assertThat(RateLimit.of(10, SECOND, 10)).isEqualTo(RateLimit.perSecond(10))
			.hasSameHashCodeAs(RateLimit.perSecond(10))
			.isNotEqualTo(RateLimit.of(10, SECOND, 11));
	}

	@ParameterizedTest
	@CsvSource({ "10, 10", "0.1, 1", "1, 1", "1.0000001, 2", "7.77, 8", "4000000000, 4000000000" })
	void holdsWhatASecondAddsRoundedUpUnlessToldOtherwise(double rate, long capacity) {
		RateLimit limit = RateLimit.perSecond(rate);
		assertThat(limit.per()).isEqualTo(SECOND);
		assertThat(limit.capacity()).isEqualTo(capacity).isEqualTo(RateLimit.defaultCapacity(rate));
	}

	@Test
	void boundsTheDefaultCapacity() {
		assertThat(RateLimit.defaultCapacity(1e300)).isEqualTo(RateLimit.MAX_CAPACITY);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0, -0.0, -1, -Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY,
			Double.NEGATIVE_INFINITY })
	void rejectsARateThatIsNoFinitePositiveNumber(double rate) {
		assertThatExceptionOfType(InvalidRateLimitException.class).isThrownBy(() -> RateLimit.of(rate, SECOND, 1))
			.satisfies((ex) -> assertThat(ex.getComponent()).isEqualTo("rate"))
			.satisfies((ex) -> assertThat(ex.getValue()).isEqualTo(String.valueOf(rate)))
			.satisfies((ex) -> assertThat(ex.getRequirement()).contains("greater than zero"))
			.withMessage("rate must be a finite number greater than zero, but was " + rate);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0, -1, Double.NaN, Double.POSITIVE_INFINITY })
	void rejectsSuchARatePerSecondToo(double rate) {
		assertThatExceptionOfType(InvalidRateLimitException.class).isThrownBy(() -> RateLimit.perSecond(rate))
			.satisfies((ex) -> assertThat(ex.getComponent()).isEqualTo("rate"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT-0.000000001S", "P36501D", "PT876000H0.000000001S" })
	void rejectsAPeriodOutOfRange(Duration per) {
		assertThatExceptionOfType(InvalidRateLimitException.class).isThrownBy(() -> RateLimit.of(1, per, 1))
			.satisfies((ex) -> assertThat(ex.getComponent()).isEqualTo("per"))
			.satisfies((ex) -> assertThat(ex.getValue()).isEqualTo(per.toString()))
			.withMessageStartingWith("per must be ")
			.withMessageContaining("longer than zero")
			.withMessageContaining("36500 days")
			.withMessageEndingWith("but was " + per);
	}

	@Test
	void rejectsAPeriodThatNoClockCanCount() {
		assertThatExceptionOfType(InvalidRateLimitException.class)
			.isThrownBy(() -> RateLimit.of(1, Duration.ofSeconds(Long.MAX_VALUE), 1))
			.satisfies((ex) -> assertThat(ex.getComponent()).isEqualTo("per"));
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, Long.MIN_VALUE, (1L << 53) + 1, Long.MAX_VALUE })
	void rejectsACapacityOutOfRange(long capacity) {
		assertThatExceptionOfType(InvalidRateLimitException.class).isThrownBy(() -> RateLimit.of(1, SECOND, capacity))
			.satisfies((ex) -> assertThat(ex.getComponent()).isEqualTo("capacity"))
			.satisfies((ex) -> assertThat(ex.getValue()).isEqualTo(String.valueOf(capacity)))
			.withMessageStartingWith("capacity must be from 1 to 9007199254740992")
			.withMessageEndingWith("but was " + capacity);
	}

	@ParameterizedTest
	@CsvSource({ "4000000001, PT1S", "4000000000.000001, PT1S", "4.1, PT0.000000001S", "1e300, PT1S",
			"4000000000, PT0.999999999S" })
	void rejectsARateThatIsTooFastAndSaysWhatToDo(double rate, Duration per) {
		assertThatExceptionOfType(InvalidRateLimitException.class).isThrownBy(() -> RateLimit.of(rate, per, 1))
			.satisfies((ex) -> assertThat(ex.getComponent()).isEqualTo("rate"))
			.withMessageContaining("at most 4000000000 tokens a second")
			.withMessageContaining("larger units")
			.withMessageContaining(String.valueOf(rate));
	}

	@ParameterizedTest
	@CsvSource({ "0.999999, P36500D", "1e-10, PT1S", "1e-300, PT1S", "4.9e-324, PT1S" })
	void rejectsARateThatIsTooSlow(double rate, Duration per) {
		assertThatExceptionOfType(InvalidRateLimitException.class).isThrownBy(() -> RateLimit.of(rate, per, 1))
			.satisfies((ex) -> assertThat(ex.getComponent()).isEqualTo("rate"))
			.withMessageContaining("at least one token in 36500 days")
			.withMessageContaining(String.valueOf(rate));
	}

	@ParameterizedTest
	@CsvSource({ "4000000000, PT1S", "4, PT0.000000001S", "1, P36500D", "1, P365D", "0.1, PT1S", "4e-9, PT1S",
			"1, PT0.000000001S" })
	void acceptsRatesUpToTheEdges(double rate, Duration per) {
		assertThatNoException().isThrownBy(() -> RateLimit.of(rate, per, 1));
		assertThatNoException().isThrownBy(() -> RateLimit.of(rate, per, RateLimit.MAX_CAPACITY));
	}

	@Test
	void isAnIllegalArgument() {
		assertThat(IllegalArgumentException.class).isAssignableFrom(InvalidRateLimitException.class);
	}

	@ParameterizedTest
	@CsvSource({ "10, PT1S, 20, '10 per 1s, capacity 20'", "0.5, PT1M, 1, '0.5 per 1m, capacity 1'",
			"5, PT15M, 5, '5 per 15m, capacity 5'", "4000000000, PT1S, 9, '4000000000 per 1s, capacity 9'",
			"1, PT0.5S, 1, '1 per 0.5s, capacity 1'", "1, PT1H30M, 1, '1 per 1h30m, capacity 1'" })
	void readsAsText(double rate, Duration per, long capacity, String text) {
		assertThat(RateLimit.of(rate, per, capacity)).hasToString(text);
	}

}
