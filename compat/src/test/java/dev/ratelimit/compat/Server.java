package dev.ratelimit.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application on a port of its own, on Tomcat or Netty, and a client for it.
 */
final class Server implements AutoCloseable {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext context;

	private Server(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static Server start(WebApplicationType type, Class<?> application, String... properties) {
		Class<?>[] sources = (type == WebApplicationType.REACTIVE) ? new Class<?>[] { application, Netty.class }
				: new Class<?>[] { application };
		return new Server(new SpringApplicationBuilder(sources).web(type)
			.properties("server.port=0", "server.shutdown=immediate", "logging.level.root=off",
					"spring.main.banner-mode=off")
			.properties(properties)
			.registerShutdownHook(false)
			.run());
	}

	HttpResponse<String> get(String path) {
		return send("GET", path, "");
	}

	HttpResponse<String> send(String method, String path, String json) {
		String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
			.header("Content-Type", "application/json")
			.method(method, BodyPublishers.ofString(json))
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
	}

}
