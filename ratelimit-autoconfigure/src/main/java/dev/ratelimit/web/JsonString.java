package dev.ratelimit.web;

import java.util.HexFormat;

/**
 * Writes text as a JSON string in ASCII.
 */
final class JsonString {

	private static final char REPLACEMENT = '\uFFFD';

	private static final HexFormat HEX = HexFormat.of();

	private JsonString() {
	}

	static String quote(String text) {
		StringBuilder json = new StringBuilder(text.length() + 2).append('"');
		text.codePoints().forEach((codePoint) -> append(json, codePoint));
		return json.append('"').toString();
	}

	private static void append(StringBuilder json, int codePoint) {
		if (codePoint == '"' || codePoint == '\\') {
			json.append('\\').append((char) codePoint);
		}
		else if (codePoint >= ' ' && codePoint <= '~') {
			json.append((char) codePoint);
		}
		else if (Character.isSupplementaryCodePoint(codePoint)) {
			escape(json, Character.highSurrogate(codePoint));
			escape(json, Character.lowSurrogate(codePoint));
		}
		else {
			char character = (char) codePoint;
			escape(json, Character.isSurrogate(character) ? REPLACEMENT : character);
		}
	}

	private static void escape(StringBuilder json, char character) {
		json.append("\\u").append(HEX.toHexDigits(character));
	}

}
