package dev.ratelimit.web;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a request that failed at a limit: a problem detail (RFC 9457) and the
 * headers that go with it.
 *
 * @param status the HTTP status
 * @param type URI of the kind of problem
 * @param title name of the kind of problem
 * @param detail what went wrong this time and what the client can do, for people to read
 * @param violatedPolicies names of the limits that refused the request; none if it failed
 * for another reason
 * @param retryAfter how long the client should wait, or {@code null} to say nothing about
 * that
 */
public record RateLimitProblem(int status, String type, String title, String detail, List<String> violatedPolicies,
		@Nullable Duration retryAfter) {

	/**
	 * Creates a problem.
	 */
	public RateLimitProblem {
		violatedPolicies = List.copyOf(violatedPolicies);
	}

	/**
	 * Returns the headers of the response.
	 * @return values by name
	 */
	public Map<String, String> headers() {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("Content-Type", "application/problem+json");
		headers.put("Cache-Control", "no-store");
		if (this.retryAfter != null) {
			headers.put("Retry-After", String.valueOf(DelaySeconds.of(this.retryAfter)));
		}
		return headers;
	}

	/**
	 * Returns the body of the response.
	 * @param instance path of the request
	 * @return a JSON object in ASCII
	 */
	public String toJson(String instance) {
		return "{\"type\":" + JsonString.quote(this.type) + ",\"title\":" + JsonString.quote(this.title)
				+ ",\"status\":" + this.status + ",\"detail\":" + JsonString.quote(this.detail) + ",\"instance\":"
				+ JsonString.quote(instance) + violatedPoliciesMember() + "}";
	}

	private String violatedPoliciesMember() {
		if (this.violatedPolicies.isEmpty()) {
			return "";
		}
		return this.violatedPolicies.stream()
			.map(JsonString::quote)
			.collect(Collectors.joining(",", ",\"violated-policies\":[", "]"));
	}

}
