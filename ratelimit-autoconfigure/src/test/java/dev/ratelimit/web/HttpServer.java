package dev.ratelimit.web;

import org.springframework.context.annotation.Configuration;

/**
 * The kinds of web application and their servers.
 */
enum HttpServer {

	TOMCAT("servlet", Tomcat.class),

	NETTY("reactive", OwnReactorResources.class);

	private final String applicationType;

	private final Class<?> resources;

	HttpServer(String applicationType, Class<?> resources) {
		this.applicationType = applicationType;
		this.resources = resources;
	}

	String applicationType() {
		return this.applicationType;
	}

	Class<?> resources() {
		return this.resources;
	}

	@Configuration(proxyBeanMethods = false)
	static class Tomcat {

	}

}
