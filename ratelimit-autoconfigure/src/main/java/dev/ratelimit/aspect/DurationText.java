package dev.ratelimit.aspect;

import java.time.Duration;

import org.springframework.boot.convert.DurationStyle;

/**
 * Durations as written in annotations: as in Spring Boot's properties, but never without
 * a unit, for nobody could tell which one is meant.
 */
final class DurationText {

	private DurationText() {
	}

	/**
	 * Reads a duration.
	 * @throws IllegalArgumentException if the text is none
	 */
	static Duration parse(String text) {
		String trimmed = text.strip();
		if (trimmed.equals("0")) {
			return Duration.ZERO;
		}
		if (!trimmed.isEmpty() && trimmed.chars().allMatch(Character::isDigit)) {
			throw new IllegalArgumentException("'" + trimmed + "' has no unit");
		}
		if (trimmed.startsWith("-")) {
			throw new IllegalArgumentException("'" + trimmed + "' is negative");
		}
		try {
			return DurationStyle.detectAndParse(trimmed);
		}
		catch (ArithmeticException ex) {
			throw new IllegalArgumentException("'" + trimmed + "' is out of range", ex);
		}
	}

}
