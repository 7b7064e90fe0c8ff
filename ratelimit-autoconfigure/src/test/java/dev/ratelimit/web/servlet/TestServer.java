package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.web.RootLog;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/**
 * An auto-configured application on a port of its own, and a client for it.
 */
final class TestServer implements AutoCloseable {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext context;

	private TestServer(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static TestServer start(Class<?>... beans) {
		return start(Map.of(), beans);
	}

	static TestServer start(Map<String, Object> properties, Class<?>... beans) {
		return start(properties, (context) -> {
		}, beans);
	}

	static TestServer start(Map<String, Object> properties,
			ApplicationContextInitializer<GenericApplicationContext> more, Class<?>... beans) {
		return new TestServer(new SpringApplicationBuilder(Application.class).sources(beans)
			.properties(properties)
			.initializers(more)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run("--server.port=0", "--server.tomcat.basedir=target/tomcat", "--logging.level.root=warn"));
	}

	HttpResponse<String> get(String path, String... headers) {
		return send("GET", path, headers);
	}

	CompletableFuture<HttpResponse<String>> getLater(String path) {
		return CLIENT.sendAsync(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
	}

	HttpResponse<String> send(String method, String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).method(method, BodyPublishers.noBody());
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

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	private URI uri(String path) {
		return URI.create("http://localhost:" + this.context.getEnvironment().getProperty("local.server.port") + path);
	}

	/**
	 * Stops the application, and lets tests of the same process read logs again.
	 */
	@Override
	public void close() {
		this.context.close();
		RootLog.restore();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
