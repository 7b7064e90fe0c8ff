package dev.ratelimit.web.reactive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;

import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.web.OwnReactorResources;
import dev.ratelimit.web.RootLog;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * An auto-configured reactive application on Netty, on a port of its own, whose time
 * stands still, and a client for it.
 */
final class NettyServer implements AutoCloseable {

	/**
	 * Reactor Netty may leave a request unanswered that comes over a kept connection
	 * before the one before it, answered by another thread, has ended.
	 */
	private static final String ONE_REQUEST_A_CONNECTION = "server.netty.max-keep-alive-requests=1";

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext context;

	private NettyServer(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static NettyServer start(Class<?>... beans) {
		return start(new String[0], beans);
	}

	static NettyServer start(String[] properties, Class<?>... beans) {
		String[] arguments = Stream
			.concat(Stream.of("server.port=0", "server.shutdown=immediate", "spring.main.web-application-type=reactive",
					ONE_REQUEST_A_CONNECTION, "logging.level.root=warn"), Arrays.stream(properties))
			.map("--"::concat)
			.toArray(String[]::new);
		return new NettyServer(new SpringApplicationBuilder(Application.class).sources(beans)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run(arguments));
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	HttpResponse<String> get(String path, String... headers) {
		return send("GET", path, headers);
	}

	HttpResponse<String> send(String method, String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
			.timeout(Duration.ofSeconds(60))
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

	private URI uri(String path) {
		return URI.create("http://127.0.0.1:" + this.context.getEnvironment().getProperty("local.server.port") + path);
	}

	@Override
	public void close() {
		this.context.close();
		RootLog.restore();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(OwnReactorResources.class)
	static class Application {

		@Bean
		ManualTimeSource timeSource() {
			return new ManualTimeSource();
		}

	}

}
