package dev.ratelimit.web;

import java.time.Duration;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Event loops that belong to one server on Netty: the shared ones end with the first
 * server that closes.
 */
@Configuration(proxyBeanMethods = false)
public class OwnReactorResources {

	@Bean
	ReactorResourceFactory reactorResourceFactory() {
		ReactorResourceFactory factory = new ReactorResourceFactory();
		factory.setUseGlobalResources(false);
		factory.setShutdownQuietPeriod(Duration.ZERO);
		return factory;
	}

}
