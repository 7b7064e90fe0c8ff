package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The same application on each server, started when it is asked for.
 */
final class HttpApplications implements AutoCloseable {

	private final List<Class<?>> beans;

	private final Map<HttpServer, Class<?>[]> beansOfServers = new EnumMap<>(HttpServer.class);

	private final Map<String, String> properties = new HashMap<>();

	private final Map<HttpServer, HttpApplication> started = new EnumMap<>(HttpServer.class);

	private HttpApplications(List<Class<?>> beans) {
		this.beans = beans;
	}

	static HttpApplications of(Class<?>... beans) {
		return new HttpApplications(List.of(beans));
	}

	HttpApplications with(HttpServer server, Class<?>... beans) {
		this.beansOfServers.put(server, beans);
		return this;
	}

	HttpApplications with(String property, String value) {
		this.properties.put(property, value);
		return this;
	}

	/**
	 * Returns the application with full buckets.
	 */
	HttpApplication on(HttpServer server) {
		HttpApplication application = this.started.computeIfAbsent(server, this::start);
		application.refill();
		return application;
	}

	HttpApplication start(HttpServer server) {
		List<Class<?>> all = new ArrayList<>(this.beans);
		all.addAll(List.of(this.beansOfServers.getOrDefault(server, new Class<?>[0])));
		return HttpApplication.start(server, this.properties, all.toArray(Class<?>[]::new));
	}

	@Override
	public void close() {
		this.started.values().forEach(HttpApplication::close);
		this.started.clear();
	}

}
