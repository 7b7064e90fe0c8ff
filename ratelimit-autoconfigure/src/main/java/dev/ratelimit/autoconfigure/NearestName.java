package dev.ratelimit.autoconfigure;

import java.util.Collection;
import java.util.Comparator;

/**
 * Finds the name that was probably meant.
 */
final class NearestName {

	private NearestName() {
	}

	/**
	 * Returns the nearest of the known names.
	 * @param known at least one name
	 */
	static String of(String name, Collection<String> known) {
		return known.stream().min(Comparator.comparingInt((candidate) -> distance(candidate, name))).orElseThrow();
	}

	/**
	 * Returns the Levenshtein distance of two words.
	 */
	static int distance(String one, String other) {
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
