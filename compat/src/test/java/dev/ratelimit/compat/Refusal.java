package dev.ratelimit.compat;

import java.net.http.HttpResponse;
import java.util.List;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * The answer to a request that a limit of one call a minute has refused.
 */
final class Refusal {

	private final HttpResponse<String> response;

	private Refusal(HttpResponse<String> response) {
		this.response = response;
	}

	static Refusal of(HttpResponse<String> response) {
		return new Refusal(response);
	}

	void isThatOf(String bucket, String path) {
		assertThat(this.response.statusCode()).isEqualTo(429);
		assertThat(field("Content-Type")).containsExactly("application/problem+json");
		assertThat(field("Cache-Control")).containsExactly("no-store");
		assertThat(field("Retry-After")).containsExactly("60");
		assertThat(field("RateLimit-Policy")).containsExactly("\"%s\";q=1;w=60".formatted(bucket));
		assertThat(field("RateLimit")).containsExactly("\"%s\";r=0;t=60".formatted(bucket));
		assertThat(JsonParserFactory.getJsonParser().parseMap(this.response.body())).contains(
				entry("type", "https://iana.org/assignments/http-problem-types#quota-exceeded"),
				entry("title", "Quota Exceeded"), entry("status", 429), entry("instance", path),
				entry("violated-policies", List.of(bucket)));
	}

	private List<String> field(String name) {
		return this.response.headers().allValues(name);
	}

}
