package dev.ratelimit.web;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A response as it came over the wire.
 *
 * @param status the status
 * @param headerLines the header lines, names in lower case
 * @param rest all that follows the header, with its framing
 */
record RawResponse(int status, List<String> headerLines, String rest) {

	static RawResponse parse(String text) {
		int end = text.indexOf("\r\n\r\n");
		if (end < 0) {
			throw new IllegalStateException("no response: '" + text + "'");
		}
		String[] lines = text.substring(0, end).split("\r\n");
		List<String> headerLines = Arrays.stream(lines)
			.skip(1)
			.map((line) -> name(line) + line.substring(line.indexOf(':')))
			.toList();
		return new RawResponse(Integer.parseInt(lines[0].split(" ")[1]), headerLines, text.substring(end + 4));
	}

	List<String> values(String name) {
		return this.headerLines.stream()
			.filter((line) -> name(line).equals(name.toLowerCase(Locale.ROOT)))
			.map((line) -> line.substring(line.indexOf(':') + 1).trim())
			.toList();
	}

	List<String> names() {
		return this.headerLines.stream().map(RawResponse::name).toList();
	}

	private static String name(String line) {
		return line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT);
	}

}
