package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.ratelimit.web.RateLimitProblem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * Writes a problem detail in place of a response that was only begun.
 */
final class ProblemWriter {

	private static final List<String> HEADERS_OF_A_BODY = List.of(HttpHeaders.CONTENT_DISPOSITION,
			HttpHeaders.CONTENT_ENCODING, HttpHeaders.CONTENT_LANGUAGE, HttpHeaders.CONTENT_LENGTH,
			HttpHeaders.CONTENT_LOCATION, HttpHeaders.CONTENT_RANGE, HttpHeaders.CONTENT_TYPE, HttpHeaders.ETAG,
			HttpHeaders.LAST_MODIFIED);

	private ProblemWriter() {
	}

	static void write(RateLimitProblem problem, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		ResponseReset.withoutHeaders(response, HEADERS_OF_A_BODY);
		response.setStatus(problem.status());
		problem.headers().forEach(response::setHeader);
		byte[] body = problem.toJson(request.getRequestURI()).getBytes(StandardCharsets.US_ASCII);
		response.setContentLength(body.length);
		if (!HttpMethod.HEAD.matches(request.getMethod())) {
			response.getOutputStream().write(body);
		}
	}

}
