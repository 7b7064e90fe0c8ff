package dev.ratelimit.web;

/**
 * Writes text as a string of a structured field (RFC 9651, section 3.3.3), which is of
 * printable ASCII. Whatever is not becomes a question mark.
 */
final class StructuredString {

	private StructuredString() {
	}

	static String quote(String text) {
		StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
		for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
			append(quoted, text.codePointAt(i));
		}
		return quoted.append('"').toString();
	}

	private static void append(StringBuilder quoted, int codePoint) {
		if (codePoint == '"' || codePoint == '\\') {
			quoted.append('\\');
		}
		quoted.append((codePoint >= ' ' && codePoint <= '~') ? (char) codePoint : '?');
	}

}
