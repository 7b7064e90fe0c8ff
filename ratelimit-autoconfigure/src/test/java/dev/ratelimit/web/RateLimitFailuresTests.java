package dev.ratelimit.web;

import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RateLimitFailures}.
 */
class RateLimitFailuresTests {

	private static final RuntimeException REFUSAL = new RateLimitExceededException("orders", RateLimit.perSecond(1), 1,
			0, Duration.ofSeconds(1));

	@ParameterizedTest
	@MethodSource("failures")
	void findsEveryFailureOfALimit(RuntimeException failure) {
		assertThat(RateLimitFailures.findIn(failure)).isSameAs(failure);
	}

	@ParameterizedTest
	@MethodSource("wrappers")
	void looksIntoWrappers(Throwable wrapper) {
		assertThat(RateLimitFailures.findIn(wrapper)).isSameAs(REFUSAL);
	}

	@ParameterizedTest
	@MethodSource("others")
	void leavesOtherExceptionsAlone(Throwable other) {
		assertThat(RateLimitFailures.findIn(other)).isNull();
	}

	@Test
	void findsASubclass() {
		RuntimeException failure = new RateLimitStoreUnavailableException("orders", null) {
		};
		assertThat(RateLimitFailures.findIn(new CompletionException(failure))).isSameAs(failure);
	}

	static Stream<RuntimeException> failures() {
		return Stream.of(REFUSAL, new RateLimitWaitInterruptedException("orders", "closed"),
				new RateLimitStoreUnavailableException("orders", null));
	}

	static Stream<Throwable> wrappers() {
		return Stream.of(new CompletionException(REFUSAL), new ExecutionException(REFUSAL),
				new UndeclaredThrowableException(REFUSAL),
				new CompletionException(new ExecutionException(new UndeclaredThrowableException(REFUSAL))));
	}

	static Stream<Throwable> others() {
		return Stream.of(new IllegalStateException(), new CompletionException(null),
				new ExecutionException(new IllegalStateException()), new IllegalStateException(REFUSAL),
				new CompletionException(new IllegalStateException(REFUSAL)), new StackOverflowError());
	}

}
