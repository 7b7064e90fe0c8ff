package dev.ratelimit.benchmarks.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.ratelimit.annotation.RateLimited;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Measures how many requests a limited endpoint answers beside an unlimited one, in pairs
 * that take turns in going first.
 * <p>
 * Arguments: the number of pairs, and the milliseconds of each half.
 */
final class HttpThroughput {

	private static final int CLIENTS = 8;

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);

	private final String server;

	private HttpThroughput(String server) {
		this.server = server;
	}

	public static void main(String[] arguments) throws InterruptedException, ExecutionException {
		int pairs = (arguments.length > 0) ? Integer.parseInt(arguments[0]) : 15;
		long millis = (arguments.length > 1) ? Long.parseLong(arguments[1]) : 3000;
		measure(pairs, Duration.ofMillis(millis));
	}

	static double measure(int pairs, Duration half) throws InterruptedException, ExecutionException {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.SERVLET)
			.properties("server.port=0", "spring.main.banner-mode=off", "logging.level.root=warn")
			.run()) {
			String port = context.getEnvironment().getRequiredProperty("local.server.port");
			HttpThroughput throughput = new HttpThroughput("http://localhost:" + port);
			try {
				return throughput.medianRatio(pairs, half);
			}
			finally {
				throughput.clients.shutdownNow();
			}
		}
	}

	private double medianRatio(int pairs, Duration half) throws InterruptedException, ExecutionException {
		requests("/unlimited", half);
		requests("/limited", half);
		List<Double> ratios = new ArrayList<>();
		for (int pair = 0; pair < pairs; pair++) {
			boolean limitedFirst = pair % 2 == 0;
			long first = requests(limitedFirst ? "/limited" : "/unlimited", half);
			long second = requests(limitedFirst ? "/unlimited" : "/limited", half);
			ratios.add(limitedFirst ? (double) first / second : (double) second / first);
			System.out.printf("%d and %d requests, limited / unlimited = %.3f%n", first, second, ratios.get(pair));
		}
		double median = ratios.stream().sorted().toList().get(pairs / 2);
		System.out.printf("median of %d pairs: %.3f%n", pairs, median);
		return median;
	}

	private long requests(String path, Duration duration) throws InterruptedException, ExecutionException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.server + path)).build();
		long end = System.nanoTime() + duration.toNanos();
		Callable<Long> task = () -> {
			long count = 0;
			while (System.nanoTime() - end < 0) {
				send(request);
				count++;
			}
			return count;
		};
		long sum = 0;
		for (Future<Long> count : this.clients.invokeAll(Collections.nCopies(CLIENTS, task))) {
			sum += count.get();
		}
		return sum;
	}

	private void send(HttpRequest request) throws IOException, InterruptedException {
		HttpResponse<String> response = this.client.send(request, BodyHandlers.ofString());
		if (response.statusCode() != 200) {
			throw new IllegalStateException("answered with " + response.statusCode());
		}
	}

	@RestController
	static class DataController {

		@GetMapping("/unlimited")
		String unlimited() {
			return "at once";
		}

		@GetMapping("/limited")
		@RateLimited(rate = 1_000_000)
		String limited() {
			return "at once";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(DataController.class)
	static class Application {

	}

}
