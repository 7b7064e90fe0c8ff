package dev.ratelimit.web;

import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that callers are told apart where the class path has no Spring Security. Each
 * application has a class loader of its own.
 */
class WithoutSpringSecurityTests {

	private final HttpClient client = HttpClient.newHttpClient();

	@ParameterizedTest
	@EnumSource
	void everyKindOfCallerIsToldApart(HttpServer server) throws Exception {
		ClassLoader context = Thread.currentThread().getContextClassLoader();
		try (URLClassLoader classes = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
			assertThatExceptionOfType(ClassNotFoundException.class)
				.isThrownBy(() -> classes.loadClass("org.springframework.security.core.Authentication"));
			classes.loadClass("org.apache.catalina.webresources.TomcatURLStreamHandlerFactory")
				.getMethod("disable")
				.invoke(null);
			Thread.currentThread().setContextClassLoader(classes);
			try (AutoCloseable application = start(classes, server)) {
				int port = port(application);
				for (String path : List.of("/ip", "/principal", "/principal-or-ip", "/header")) {
					assertThat(status(port, path)).as(path).isEqualTo(200);
					assertThat(status(port, path)).as(path).isEqualTo(429);
				}
				assertThat(status(port, "/header", "X-Api-Key", "other")).isEqualTo(200);
			}
		}
		finally {
			Thread.currentThread().setContextClassLoader(context);
		}
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static AutoCloseable start(ClassLoader classes, HttpServer server) throws Exception {
		Class servers = classes.loadClass(HttpServer.class.getName());
		Method start = classes.loadClass(HttpApplication.class.getName())
			.getDeclaredMethod("start", servers, Map.class, Class[].class);
		start.setAccessible(true);
		return (AutoCloseable) start.invoke(null, Enum.valueOf(servers, server.name()), Map.of(),
				new Class<?>[] { classes.loadClass(CallerController.class.getName()),
						classes.loadClass(CallerService.class.getName()) });
	}

	private static int port(Object application) throws Exception {
		Method port = application.getClass().getDeclaredMethod("port");
		port.setAccessible(true);
		return (int) port.invoke(application);
	}

	private int status(int port, String path, String... headers) throws Exception {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
		if (headers.length > 0) {
			request.headers(headers);
		}
		return this.client.send(request.build(), BodyHandlers.discarding()).statusCode();
	}

	private static URL[] classPath() {
		return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.contains("spring-security-"))
			.map(WithoutSpringSecurityTests::url)
			.toArray(URL[]::new);
	}

	private static URL url(String entry) {
		try {
			return Path.of(entry).toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
