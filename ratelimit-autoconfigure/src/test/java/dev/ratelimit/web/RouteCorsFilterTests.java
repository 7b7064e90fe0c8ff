package dev.ratelimit.web;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.filter.CorsFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for refusals by routes where a filter of the application writes CORS headers, and
 * stands behind the limits.
 */
class RouteCorsFilterTests {

	@ParameterizedTest
	@EnumSource
	void aRefusalHasTheHeadersOfACorsFilterThatStandsBehind(HttpServer server) {
		refusesWithTheHeadersOf(FilterOnTomcat.class, server);
	}

	@Test
	void aRefusalHasTheHeadersOfACorsFilterThatIsRegistered() {
		refusesWithTheHeadersOf(RegistrationOnTomcat.class, HttpServer.TOMCAT);
	}

	private static void refusesWithTheHeadersOf(Class<?> filterOnTomcat, HttpServer server) {
		try (HttpApplication application = HttpApplications.of(ItemsController.class)
			.with(HttpServer.TOMCAT, filterOnTomcat)
			.with(HttpServer.NETTY, FilterOnNetty.class)
			.with("ratelimit.http.routes[0].path", "/items")
			.with("ratelimit.http.routes[0].bucket", "api")
			.with("ratelimit.buckets.api.rate", "1")
			.start(server)) {
			RawResponse accepted = application.raw("GET", "/items", "Origin: https://shop.example");
			assertThat(accepted.status()).isEqualTo(200);
			assertThat(accepted.values("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
			RawResponse refused = application.raw("GET", "/items", "Origin: https://shop.example");
			assertThat(refused.status()).isEqualTo(429);
			assertThat(refused.values("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
			assertThat(application.raw("GET", "/items", "Origin: https://other.example").status()).isEqualTo(403);
		}
	}

	@RestController
	static class ItemsController {

		@GetMapping("/items")
		Mono<String> items() {
			return Mono.just("ok");
		}

	}

	private static CorsConfiguration cors() {
		CorsConfiguration configuration = new CorsConfiguration();
		configuration.setAllowedOrigins(List.of("https://shop.example"));
		return configuration;
	}

	@Configuration(proxyBeanMethods = false)
	static class FilterOnTomcat {

		@Bean
		CorsFilter corsFilter() {
			return new CorsFilter((request) -> cors());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RegistrationOnTomcat {

		@Bean
		FilterRegistrationBean<CorsFilter> corsFilter() {
			FilterRegistrationBean<CorsFilter> registration = new FilterRegistrationBean<>(
					new CorsFilter((request) -> cors()));
			registration.setOrder(0);
			return registration;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FilterOnNetty {

		@Bean
		CorsWebFilter corsFilter() {
			return new CorsWebFilter((exchange) -> cors());
		}

	}

}
