package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.function.Function;

import dev.ratelimit.core.InvalidRateLimitException;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimiter;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.lang.Nullable;

/**
 * A change of a limit as it is written in a request. What is not written stays as it is.
 */
@SuppressWarnings("deprecation") // Framework 6.2 has only this @Nullable
record LimitChange(@Nullable String rate, @Nullable String capacity, @Nullable String per, @Nullable String shadow) {

	/**
	 * Changes a limit, or nothing of it.
	 * @throws IllegalArgumentException if a value is out of range
	 */
	void apply(RateLimiter limiter) {
		if (this.rate == null && this.capacity == null && this.per == null && this.shadow == null) {
			throw new IllegalArgumentException("Nothing to change: give rate, capacity, per or shadow");
		}
		RateLimit limit = changed(limiter.settings().limit());
		boolean changedShadow = parsed("shadow", this.shadow, "true or false", LimitChange::truth,
				limiter.settings().shadow());
		if (!limit.equals(limiter.settings().limit())) {
			limiter.change(limit);
		}
		limiter.shadow(changedShadow);
	}

	private RateLimit changed(RateLimit limit) {
		double newRate = parsed("rate", this.rate, "a number", Double::valueOf, limit.rate());
		Duration newPer = parsed("per", this.per, "a duration with a unit, such as 500ms, 1m or PT1H",
				LimitChange::duration, limit.per());
		long newCapacity = parsed("capacity", this.capacity, "a whole number", Long::valueOf, limit.capacity());
		try {
			return RateLimit.of(newRate, newPer, newCapacity);
		}
		catch (InvalidRateLimitException ex) {
			throw invalid(ex.getComponent(), ex.getRequirement(), String.valueOf(ex.getValue()));
		}
	}

	private static <T> T parsed(String name, @Nullable String text, String requirement, Function<String, T> parser,
			T present) {
		if (text == null) {
			return present;
		}
		try {
			return parser.apply(text.strip());
		}
		catch (IllegalArgumentException ex) {
			throw invalid(name, requirement, text);
		}
	}

	private static IllegalArgumentException invalid(String name, String requirement, String value) {
		return new IllegalArgumentException("%s must be %s, but was %s".formatted(name, requirement, value));
	}

	/**
	 * Parses a duration. A number alone is refused: Spring Boot would take it for
	 * milliseconds, which nobody means.
	 */
	private static Duration duration(String text) {
		if (text.isEmpty() || Character.isDigit(text.charAt(text.length() - 1))) {
			throw new IllegalArgumentException("no unit");
		}
		return DurationStyle.detectAndParse(text);
	}

	private static Boolean truth(String text) {
		return switch (text) {
			case "true" -> true;
			case "false" -> false;
			default -> throw new IllegalArgumentException("neither true nor false");
		};
	}

}
