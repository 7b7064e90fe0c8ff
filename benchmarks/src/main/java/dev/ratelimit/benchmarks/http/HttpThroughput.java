package dev.ratelimit.benchmarks.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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

	private static final byte[] STATUS = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] BODY = "at once".getBytes(StandardCharsets.US_ASCII);

	private static final int CLIENTS = 8;

	/**
	 * Pairs that only warm up.
	 */
	private static final int WARM_UP = 10;

	private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);

	private final int port;

	private HttpThroughput(int port) {
		this.port = port;
	}

	public static void main(String[] arguments) throws InterruptedException, ExecutionException {
		int pairs = (arguments.length > 0) ? Integer.parseInt(arguments[0]) : 31;
		long millis = (arguments.length > 1) ? Long.parseLong(arguments[1]) : 1000;
		measure(pairs, Duration.ofMillis(millis));
	}

	static double measure(int pairs, Duration half) throws InterruptedException, ExecutionException {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.SERVLET)
			.properties("server.port=0", "server.tomcat.max-keep-alive-requests=-1", "spring.main.banner-mode=off",
					"logging.level.root=warn")
			.run()) {
			HttpThroughput throughput = new HttpThroughput(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			try {
				return throughput.medianRatio(pairs, half);
			}
			finally {
				throughput.clients.shutdownNow();
			}
		}
	}

	private double medianRatio(int pairs, Duration half) throws InterruptedException, ExecutionException {
		for (int pair = 0; pair < WARM_UP; pair++) {
			requests("/unlimited", half);
			requests("/limited", half);
		}
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
		long end = System.nanoTime() + duration.toNanos();
		Callable<Long> task = () -> {
			try (Client client = new Client(this.port, path)) {
				long count = 0;
				while (System.nanoTime() - end < 0) {
					client.send();
					count++;
				}
				return count;
			}
		};
		long sum = 0;
		for (Future<Long> count : this.clients.invokeAll(Collections.nCopies(CLIENTS, task))) {
			sum += count.get();
		}
		return sum;
	}

	/**
	 * A client on a connection of its own, which does as little as a client can, so that
	 * most of the time is the server's.
	 */
	private static final class Client implements AutoCloseable {

		private final byte[] response = new byte[4096];

		private final byte[] request;

		private final Socket socket;

		Client(int port, String path) throws IOException {
			this.request = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path)
				.getBytes(StandardCharsets.US_ASCII);
			this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
			this.socket.setTcpNoDelay(true);
		}

		void send() throws IOException {
			this.socket.getOutputStream().write(this.request);
			int length = 0;
			while (!endsWith(length, BODY)) {
				int read = this.socket.getInputStream().read(this.response, length, this.response.length - length);
				if (read < 0) {
					throw new EOFException("the server has closed the connection");
				}
				length += read;
			}
			if (!startsWith(STATUS)) {
				throw new IllegalStateException(
						"answered with " + new String(this.response, 0, length, StandardCharsets.US_ASCII));
			}
		}

		private boolean startsWith(byte[] expected) {
			return Arrays.equals(this.response, 0, expected.length, expected, 0, expected.length);
		}

		private boolean endsWith(int length, byte[] expected) {
			return length >= expected.length
					&& Arrays.equals(this.response, length - expected.length, length, expected, 0, expected.length);
		}

		@Override
		public void close() throws IOException {
			this.socket.close();
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
