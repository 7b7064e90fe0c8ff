package dev.ratelimit.web;

import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for refusals by routes around Spring Security, which writes the CORS headers.
 */
class RouteCorsSecurityTests {

	private static final HttpApplications applications = HttpApplications.of(PathController.class)
		.with(HttpServer.TOMCAT, TomcatSecurity.class, SecurityFilterRegistration.class)
		.with(HttpServer.NETTY, NettySecurity.class)
		.with("ratelimit.buckets.late.rate", "1")
		.with("ratelimit.http.routes[0].path", "/late")
		.with("ratelimit.http.routes[0].bucket", "late")
		.with("ratelimit.buckets.early.rate", "1")
		.with("ratelimit.http.routes[1].path", "/early")
		.with("ratelimit.http.routes[1].bucket", "early")
		.with("ratelimit.http.routes[1].order", "before-security");

	@AfterAll
	static void stop() {
		applications.close();
	}

	@ParameterizedTest
	@CsvSource({ "TOMCAT, /early", "TOMCAT, /late", "NETTY, /early", "NETTY, /late" })
	void aRefusalHasTheHeadersThatSpringSecurityWrites(HttpServer server, String path) {
		HttpApplication application = applications.on(server);
		for (int status : new int[] { 200, 429 }) {
			RawResponse response = application.raw("GET", path, "Origin: https://shop.example");
			assertThat(response.status()).isEqualTo(status);
			assertThat(response.values("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
			assertThat(response.values("Access-Control-Expose-Headers")).containsExactly("RateLimit");
			assertThat(response.values("RateLimit")).hasSize(1);
		}
		assertThat(application.raw("GET", path, "Origin: https://evil.example")).returns(403, RawResponse::status)
			.satisfies((response) -> assertThat(response.values("Access-Control-Allow-Origin")).isEmpty());
	}

	@ParameterizedTest
	@EnumSource
	void aRequestThatSpringSecurityRefusesForItsOriginTakesTokensOnlyBeforeIt(HttpServer server) {
		HttpApplication application = applications.on(server);
		for (String path : List.of("/early", "/late")) {
			assertThat(application.raw("GET", path, "Origin: https://evil.example").status()).isEqualTo(403);
		}
		assertThat(application.bucket("early").availableTokens()).isZero();
		assertThat(application.bucket("late").availableTokens()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void aPreflightTakesNoTokens(HttpServer server) {
		HttpApplication application = applications.on(server);
		for (String path : List.of("/early", "/late")) {
			assertThat(application
				.raw("OPTIONS", path, "Origin: https://shop.example", "Access-Control-Request-Method: GET")
				.status()).isEqualTo(200);
			assertThat(application.bucket(path.substring(1)).availableTokens()).isOne();
		}
	}

	private static CorsConfiguration origins() {
		CorsConfiguration configuration = new CorsConfiguration();
		configuration.addAllowedOrigin("https://shop.example");
		configuration.addExposedHeader("RateLimit");
		configuration.addAllowedMethod("GET");
		return configuration;
	}

	@RestController
	static class PathController {

		@GetMapping({ "/early", "/late" })
		Mono<String> get() {
			return Mono.just("ok");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class TomcatSecurity {

		@Bean
		UrlBasedCorsConfigurationSource corsConfigurationSource() {
			UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
			source.registerCorsConfiguration("/**", origins());
			return source;
		}

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.cors(Customizer.withDefaults())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class NettySecurity {

		@Bean
		org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource corsConfigurationSource() {
			org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource source = new org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource();
			source.registerCorsConfiguration("/**", origins());
			return source;
		}

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll())
				.cors(Customizer.withDefaults())
				.build();
		}

	}

}
