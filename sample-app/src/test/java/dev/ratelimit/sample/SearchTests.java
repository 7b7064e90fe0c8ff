package dev.ratelimit.sample;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.ratelimit.core.ManualTimeSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class SearchTests {

	private static final Pattern HEADER_NAME = Pattern.compile("^[A-Za-z-]+(?=: )");

	@Autowired
	private SampleClient client;

	@Autowired
	private ManualTimeSource timeSource;

	@BeforeEach
	void reset() {
		this.client.reset();
	}

	@Test
	void obeysTheLimitOfTheFile() throws Exception {
		for (int call = 1; call <= 10; call++) {
			assertThat(search().statusCode()).isEqualTo(200);
		}
		assertThat(search().statusCode()).isEqualTo(429);
		this.timeSource.advance(Duration.ofSeconds(2));
		assertThat(search().statusCode()).isEqualTo(200);
		assertThat(search().statusCode()).isEqualTo(429);
	}

	@Test
	void refusesAsTheReadmeShows() throws Exception {
		this.client.getAtOnce("/api/search?text=tea", 10);
		HttpResponse<String> refusal = search();
		assertThat(refusal.statusCode()).isEqualTo(429);
		assertThat(refusal.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(refusal.headers().firstValue("Cache-Control")).hasValue("no-store");
		assertThat(refusal.headers().firstValue("Retry-After")).hasValue("2");
		assertThat(shown()).containsExactlyInAnyOrderElementsOf(lines(refusal));
	}

	private static List<String> shown() {
		return Readme.load()
			.blocks("http")
			.flatMap(String::lines)
			.map((line) -> HEADER_NAME.matcher(line).replaceFirst((name) -> name.group().toLowerCase(Locale.ROOT)))
			.filter((line) -> !line.startsWith("date: "))
			.toList();
	}

	private static List<String> lines(HttpResponse<String> response) {
		List<String> lines = new ArrayList<>();
		lines.add("HTTP/1.1 " + response.statusCode());
		response.headers().map().forEach((name, values) -> lines.add(name + ": " + String.join(", ", values)));
		lines.removeIf((line) -> line.startsWith("date: "));
		lines.add("");
		lines.add(response.body());
		return lines;
	}

	private HttpResponse<String> search() throws Exception {
		return this.client.get("/api/search?text=tea");
	}

}
