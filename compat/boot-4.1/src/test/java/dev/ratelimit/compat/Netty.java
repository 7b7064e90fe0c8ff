package dev.ratelimit.compat;

import java.time.Duration;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Netty as the server of a reactive application, under the name that it has on this line.
 */
@Configuration(proxyBeanMethods = false)
class Netty {

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

	@Bean
	NettyReactiveWebServerFactory nettyReactiveWebServerFactory(ReactorResourceFactory resources) {
		NettyReactiveWebServerFactory factory = new NettyReactiveWebServerFactory();
		factory.setResourceFactory(resources);
		return factory;
	}

}
