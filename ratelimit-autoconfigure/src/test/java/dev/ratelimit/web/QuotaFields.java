package dev.ratelimit.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads {@code RateLimit} and {@code RateLimit-Policy} with a parser of structured fields
 * (RFC 9651) that is not the library's.
 */
final class QuotaFields {

	private QuotaFields() {
	}

	/**
	 * Returns the parameters of each member of a list of strings by the member's name,
	 * and fails where a name stands twice or a parameter is no whole number.
	 */
	static Map<String, Map<String, Long>> parse(List<String> lines) {
		Map<String, Map<String, Long>> members = new LinkedHashMap<>();
		new Parser(lines).parseList().get().forEach((element) -> {
			StringItem member = (StringItem) element;
			Map<String, Long> parameters = new LinkedHashMap<>();
			member.getParams().forEach((name, value) -> parameters.put(name, ((IntegerItem) value).get()));
			assertThat(members.put(member.get(), parameters)).as("a second " + member.get()).isNull();
		});
		return members;
	}

}
