package dev.ratelimit.web;

import java.time.Duration;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * The kinds of web application and their servers.
 */
enum HttpServer {

	TOMCAT("servlet", Tomcat.class),

	NETTY("reactive", Netty.class);

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

	@Configuration(proxyBeanMethods = false)
	static class Netty {

		/**
		 * Resources of its own: the shared ones end with the first server that closes.
		 */
		@Bean
		ReactorResourceFactory reactorResourceFactory() {
			ReactorResourceFactory factory = new ReactorResourceFactory();
			factory.setUseGlobalResources(false);
			factory.setShutdownQuietPeriod(Duration.ZERO);
			return factory;
		}

	}

}
