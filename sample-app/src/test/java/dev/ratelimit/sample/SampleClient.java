package dev.ratelimit.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimiterRegistry;

import org.springframework.boot.test.context.TestComponent;
import org.springframework.core.env.Environment;

/**
 * Calls the application over HTTP.
 */
@TestComponent
class SampleClient {

	private final HttpClient http = HttpClient.newHttpClient();

	private final Environment environment;

	private final RateLimiterRegistry registry;

	private final ManualTimeSource timeSource;

	private long start;

	SampleClient(Environment environment, RateLimiterRegistry registry, ManualTimeSource timeSource) {
		this.environment = environment;
		this.registry = registry;
		this.timeSource = timeSource;
	}

	/**
	 * Fills all buckets and counts the time from now.
	 */
	void reset() {
		this.registry.refillAll();
		this.start = this.timeSource.nanos();
	}

	long elapsedMillis() {
		return (this.timeSource.nanos() - this.start) / 1_000_000;
	}

	HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return this.http.send(request(path).build(), BodyHandlers.ofString());
	}

	HttpResponse<String> post(String path) throws IOException, InterruptedException {
		return this.http.send(request(path).POST(BodyPublishers.noBody()).build(), BodyHandlers.ofString());
	}

	/**
	 * Sends requests all at once, and returns the status codes of the answers.
	 */
	List<Integer> getAtOnce(String path, int times) {
		List<CompletableFuture<Integer>> answers = IntStream.range(0, times)
			.mapToObj((index) -> this.http.sendAsync(request(path).build(), BodyHandlers.discarding()))
			.map((answer) -> answer.thenApply(HttpResponse::statusCode))
			.toList();
		return answers.stream().map(CompletableFuture::join).toList();
	}

	private HttpRequest.Builder request(String path) {
		String port = this.environment.getRequiredProperty("local.server.port");
		return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
	}

}
