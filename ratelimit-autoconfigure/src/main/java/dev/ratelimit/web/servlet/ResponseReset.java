package dev.ratelimit.web.servlet;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import jakarta.servlet.http.HttpServletResponse;

import org.springframework.util.LinkedCaseInsensitiveMap;

/**
 * Takes headers off a response that is not committed, which the servlet API can only do
 * by starting anew.
 */
final class ResponseReset {

	private ResponseReset() {
	}

	/**
	 * Discards what was written of the body, the status, and some of the headers.
	 */
	static void withoutHeaders(HttpServletResponse response, Collection<String> names) {
		Map<String, List<String>> headers = new LinkedCaseInsensitiveMap<>();
		response.getHeaderNames().forEach((name) -> headers.put(name, List.copyOf(response.getHeaders(name))));
		names.forEach(headers::remove);
		response.reset();
		headers.forEach((name, values) -> values.forEach((value) -> response.addHeader(name, value)));
	}

}
