package dev.ratelimit.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The packaged application in a JVM of its own, from what was processed ahead of time, on
 * a port of its own.
 */
final class PackagedApplication implements AutoCloseable {

	private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

	private static final HttpClient client = HttpClient.newHttpClient();

	private final StringBuilder log = new StringBuilder();

	private final Process process;

	private int port;

	private PackagedApplication(Process process) {
		this.process = process;
	}

	/**
	 * Starts the application and returns when it serves.
	 * @param arguments of its command line
	 */
	static PackagedApplication start(String... arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Dspring.aot.enabled=true",
						"-jar", System.getProperty("sample.jar"), "--server.port=0"));
		command.addAll(List.of(arguments));
		PackagedApplication application = new PackagedApplication(
				new ProcessBuilder(command).redirectErrorStream(true).start());
		application.untilStarted();
		return application;
	}

	private void untilStarted() throws IOException {
		BufferedReader output = this.process.inputReader();
		for (String line = output.readLine(); line != null && this.port == 0; line = output.readLine()) {
			this.log.append(line).append('\n');
			Matcher started = STARTED.matcher(line);
			if (started.find()) {
				this.port = Integer.parseInt(started.group(1));
			}
		}
		assertThat(this.port).as(this.log::toString).isPositive();
		Thread reader = new Thread(() -> output.lines().forEach((line) -> {
		}), "output of " + this.port);
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Returns what the application had logged when it served.
	 */
	String log() {
		return this.log.toString();
	}

	HttpResponse<String> get(String path) {
		return getAsync(path).join();
	}

	CompletableFuture<HttpResponse<String>> getAsync(String path) {
		return client.sendAsync(HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path)).build(),
				BodyHandlers.ofString());
	}

	@Override
	public void close() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(30, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
