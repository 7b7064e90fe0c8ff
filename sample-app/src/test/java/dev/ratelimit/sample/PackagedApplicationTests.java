package dev.ratelimit.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Starts the packaged application in a JVM of its own, from what was processed ahead of
 * time.
 */
@Tag("packaged")
class PackagedApplicationTests {

	private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

	private static final HttpClient client = HttpClient.newHttpClient();

	private static final StringBuilder log = new StringBuilder();

	private static Process process;

	private static int port;

	@BeforeAll
	static void start() throws IOException {
		process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Dspring.aot.enabled=true", "-jar", System.getProperty("sample.jar"), "--server.port=0")
			.redirectErrorStream(true)
			.start();
		BufferedReader output = process.inputReader();
		for (String line = output.readLine(); line != null && port == 0; line = output.readLine()) {
			log.append(line).append('\n');
			Matcher started = STARTED.matcher(line);
			if (started.find()) {
				port = Integer.parseInt(started.group(1));
			}
		}
		assertThat(port).as(log::toString).isPositive();
	}

	@AfterAll
	static void stop() throws InterruptedException {
		process.destroy();
		process.waitFor(30, TimeUnit.SECONDS);
	}

	@Test
	void runsFromWhatWasProcessedAheadOfTime() {
		assertThat(log).contains("Starting AOT-processed SampleApplication");
	}

	@Test
	void limitsByTheConfiguration() throws Exception {
		for (int call = 0; call < 10; call++) {
			assertThat(get("/api/search?text=tea").statusCode()).isEqualTo(200);
		}
		HttpResponse<String> refused = get("/api/search?text=tea");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers().firstValue("RateLimit-Policy")).hasValue("\"search\";q=10;w=20");
		assertThat(refused.body()).contains("quota-exceeded");
	}

	@Test
	void evaluatesExpressionsAndCallsFallbacks() throws Exception {
		for (int call = 0; call < 2; call++) {
			assertThat(get("/api/reports?user=bob&plan=silver").body()).contains("made for bob");
		}
		assertThat(get("/api/reports?user=bob&plan=silver").body()).contains("of yesterday");
		assertThat(get("/api/reports?user=eve&plan=silver").body()).contains("made for eve");
	}

	private static HttpResponse<String> get(String path) throws Exception {
		return client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
				BodyHandlers.ofString());
	}

}
