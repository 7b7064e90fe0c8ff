package dev.ratelimit.sample.page;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.sample.SampleApplication;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends bursts and reads the stream that feeds the page, without a browser.
 */
@PageTest
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class LiveTests {

	private final HttpClient http = HttpClient.newHttpClient();

	@Autowired
	private RateLimiterRegistry registry;

	@LocalServerPort
	private String port;

	@BeforeEach
	void refill() {
		new Limits(this.registry).reset(Duration.ofMinutes(1));
	}

	@Test
	void tellsWhatBecameOfEachCall() throws Exception {
		List<Integer> statuses = new ArrayList<>();
		try (Stream<String> moments = moments(this.port)) {
			Iterator<String> moment = moments.iterator();
			assertThat(send("reject", "20")).isEqualTo(202);
			while (statuses.size() < 20) {
				statuses.addAll(JsonPath.read(moment.next(), "$.calls[?(@.answered != null)].status"));
			}
		}
		assertThat(Collections.frequency(statuses, 200)).isEqualTo(10);
		assertThat(Collections.frequency(statuses, 429)).isEqualTo(10);
	}

	@Test
	void countsWhatALimitDecides() throws Exception {
		try (Stream<String> moments = moments(this.port)) {
			Iterator<String> moment = moments.iterator();
			int refused = JsonPath.read(moment.next(), "$.gates.reject.refused");
			this.registry.get("reject").bucket().tryAcquire(10);
			this.registry.get("reject").bucket().tryAcquire();
			String json = moment.next();
			while (JsonPath.<Integer>read(json, "$.gates.reject.refused") == refused) {
				json = moment.next();
			}
			assertThat(JsonPath.<Integer>read(json, "$.gates.reject.refused")).isEqualTo(refused + 1);
			assertThat(JsonPath.<Integer>read(json, "$.gates.reject.tokens")).isZero();
		}
	}

	@ParameterizedTest
	@CsvSource({ "reject, 0, 400", "reject, 51, 400", "reject, many, 400", "door, 1, 404" })
	void refusesBurstsThatMakeNoSense(String gate, String calls, int status) throws Exception {
		assertThat(send(gate, calls)).isEqualTo(status);
	}

	@Test
	void endsStreamsAtShutdownInsteadOfWaitingForThem() throws Exception {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(SampleApplication.class)
			.run("--server.port=0", "--spring.lifecycle.timeout-per-shutdown-phase=10m");
		try (Stream<String> moments = moments(context.getEnvironment().getRequiredProperty("local.server.port"))) {
			Iterator<String> moment = moments.iterator();
			assertThat(moment.next()).contains("\"gates\"");
			context.close();
			moment.forEachRemaining((json) -> assertThat(json).contains("\"gates\""));
		}
	}

	private int send(String gate, String calls) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(uri(this.port, "/bursts/" + gate + "?calls=" + calls))
			.POST(BodyPublishers.noBody())
			.build();
		return this.http.send(request, BodyHandlers.discarding()).statusCode();
	}

	private Stream<String> moments(String port) throws IOException, InterruptedException {
		return this.http.send(HttpRequest.newBuilder(uri(port, "/live")).build(), BodyHandlers.ofLines())
			.body()
			.filter((line) -> line.startsWith("data:"))
			.map((line) -> line.substring("data:".length()));
	}

	private static URI uri(String port, String path) {
		return URI.create("http://localhost:" + port + path);
	}

}
