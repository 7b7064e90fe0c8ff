package dev.ratelimit.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Finds the name that was probably meant. Case, dashes and underscores do not count, as
 * everywhere in names of limits.
 */
public final class NearestName {

	private static final int MOST_EDITS = 2;

	private NearestName() {
	}

	/**
	 * Returns the nearest of the known names.
	 * @param name a name that is not known
	 * @param known at least one name
	 * @return one of them
	 */
	public static String of(String name, Collection<String> known) {
		return known.stream().min(Comparator.comparingInt((candidate) -> distance(candidate, name))).orElseThrow();
	}

	/**
	 * Returns the nearest of the known names if it may be a slip of the pen: at most two
	 * letters make one of the other, and no more than half of them.
	 * @param name a name that is not known
	 * @param known names; may be empty
	 * @return one of them, or empty if none is near
	 */
	public static Optional<String> near(String name, Collection<String> known) {
		return known.isEmpty() ? Optional.empty() : Optional.of(of(name, known))
			.filter((nearest) -> distance(nearest, name) <= Math.min(MOST_EDITS, name.length() / 2));
	}

	private static int distance(String one, String other) {
		return levenshtein(RateLimiterRegistry.canonicalName(one), RateLimiterRegistry.canonicalName(other));
	}

	private static int levenshtein(String one, String other) {
		int[] row = new int[other.length() + 1];
		for (int j = 0; j <= other.length(); j++) {
			row[j] = j;
		}
		for (int i = 1; i <= one.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int substitution = diagonal + ((one.charAt(i - 1) != other.charAt(j - 1)) ? 1 : 0);
				diagonal = row[j];
				row[j] = Math.min(substitution, 1 + Math.min(row[j], row[j - 1]));
			}
		}
		return row[other.length()];
	}

}
