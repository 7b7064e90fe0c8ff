package dev.ratelimit.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TokenBucket;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An auto-configured application whose time stands still, on a port of its own, and two
 * clients for it: one that keeps to the rules and one that sends what it is told.
 */
final class HttpApplication implements AutoCloseable {

	private static final String HOST = "127.0.0.1";

	private static final int TIMEOUT_MILLIS = 30_000;

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext context;

	private HttpApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static HttpApplication start(HttpServer server, Map<String, String> properties, Class<?>... beans) {
		try {
			return new HttpApplication(run(server, properties, beans));
		}
		catch (RuntimeException ex) {
			RootLog.restore();
			throw ex;
		}
	}

	private static ConfigurableApplicationContext run(HttpServer server, Map<String, String> properties,
			Class<?>... beans) {
		return new SpringApplicationBuilder(Base.class, server.resources()).sources(beans)
			.properties("spring.main.web-application-type=" + server.applicationType(), "server.port=0",
					"server.netty.max-keep-alive-requests=1", "server.tomcat.basedir=target/tomcat",
					"logging.level.root=off")
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run(properties.entrySet()
				.stream()
				.map((entry) -> "--" + entry.getKey() + "=" + entry.getValue())
				.toArray(String[]::new));
	}

	HttpResponse<String> get(String path, String... headers) {
		return send("GET", path, headers);
	}

	HttpResponse<String> getFromManagementPort(String path) {
		return send(port("local.management.port"), "GET", path);
	}

	HttpResponse<String> send(String method, String path, String... headers) {
		return send(port(), method, path, headers);
	}

	private HttpResponse<String> send(int port, String method, String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + port + path))
			.timeout(Duration.ofMillis(TIMEOUT_MILLIS))
			.method(method, BodyPublishers.noBody());
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			return CLIENT.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Sends a request with the header lines as they are and reads until the server ends
	 * the connection.
	 */
	RawResponse raw(String method, String path, String... headerLines) {
		return rawFrom(HOST, method, path, headerLines);
	}

	/**
	 * Does the same from another address of this machine.
	 */
	RawResponse rawFrom(String address, String method, String path, String... headerLines) {
		try (Socket socket = new Socket(HOST, port(), InetAddress.getByName(address), 0)) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.getOutputStream().write(request(method, path, headerLines).getBytes(StandardCharsets.ISO_8859_1));
			return RawResponse.parse(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Sends a request and does not wait for the answer.
	 */
	Socket begin(String path) throws IOException {
		Socket socket = new Socket(HOST, port());
		socket.getOutputStream().write(request("GET", path).getBytes(StandardCharsets.ISO_8859_1));
		return socket;
	}

	private static String request(String method, String path, String... headerLines) {
		Stream<String> lines = Stream.concat(
				Stream.of(method + " " + path + " HTTP/1.1", "Host: " + HOST, "Connection: close"),
				Stream.of(headerLines));
		return lines.map((line) -> line + "\r\n").collect(Collectors.joining()) + "\r\n";
	}

	private int port() {
		return port("local.server.port");
	}

	private int port(String property) {
		return this.context.getEnvironment().getRequiredProperty(property, Integer.class);
	}

	ManualTimeSource time() {
		return bean(ManualTimeSource.class);
	}

	TokenBucket bucket(String name) {
		return bean(RateLimiterRegistry.class).get(name).bucket();
	}

	TokenBucket bucket(String name, String key) {
		return bean(RateLimiterRegistry.class).get(name).bucket(key);
	}

	void refill() {
		bean(RateLimiterRegistry.class).refillAll();
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	@Override
	public void close() {
		this.context.close();
		RootLog.restore();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Base {

		@Bean
		ManualTimeSource timeSource() {
			return new ManualTimeSource();
		}

	}

}
