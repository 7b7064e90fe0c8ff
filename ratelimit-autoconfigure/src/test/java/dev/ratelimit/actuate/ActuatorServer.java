package dev.ratelimit.actuate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import dev.ratelimit.web.RootLog;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An auto-configured application that exposes the endpoint on a port of its own, and a
 * client for it.
 */
final class ActuatorServer implements AutoCloseable {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext context;

	private ActuatorServer(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static ActuatorServer start(Class<?> beans, String... properties) {
		return new ActuatorServer(new SpringApplicationBuilder(Application.class).sources(beans)
			.properties(properties)
			.properties("management.endpoints.web.exposure.include=ratelimits", "server.port=0",
					"server.tomcat.basedir=target/tomcat", "logging.level.root=off")
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run());
	}

	ConfigurableApplicationContext context() {
		return this.context;
	}

	HttpResponse<String> get(String path) {
		return send("GET", path, null);
	}

	HttpResponse<String> post(String path, String body) {
		return send("POST", path, body);
	}

	HttpResponse<String> delete(String path) {
		return send("DELETE", path, null);
	}

	private HttpResponse<String> send(String method, String path, String body) {
		URI uri = URI.create("http://localhost:%s/actuator/ratelimits%s"
			.formatted(this.context.getEnvironment().getProperty("local.server.port"), path));
		HttpRequest request = HttpRequest.newBuilder(uri)
			.header("Content-Type", "application/json")
			.method(method, (body != null) ? BodyPublishers.ofString(body) : BodyPublishers.noBody())
			.build();
		try {
			return CLIENT.send(request, BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

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
