package dev.ratelimit.web;

import java.util.Iterator;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Reads an element of the field {@code Forwarded} (RFC 7239).
 */
final class ForwardedElement {

	private static final String FOR = "for=";

	private ForwardedElement() {
	}

	/**
	 * Returns whom a proxy forwarded a request for.
	 * @return the node, without quotes, or {@code null} if the element does not say
	 */
	static @Nullable String forwardedFor(String element) {
		Iterator<String> pairs = new FieldList(List.of(element), ';');
		while (pairs.hasNext()) {
			String pair = pairs.next();
			if (pair.regionMatches(true, 0, FOR, 0, FOR.length())) {
				return unquote(pair.substring(FOR.length()));
			}
		}
		return null;
	}

	private static String unquote(String value) {
		boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
		return quoted ? value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1") : value;
	}

}
