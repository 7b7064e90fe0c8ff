package dev.ratelimit.web;

import java.io.IOException;
import java.util.concurrent.Callable;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for which requests a route limits, however their paths are written and whatever
 * serves them.
 */
class RoutePathTests {

	private static HttpApplications route(String path, Class<?>... beans) {
		return HttpApplications.of(beans)
			.with("ratelimit.http.routes[0].path", path)
			.with("ratelimit.http.routes[0].bucket", "api")
			.with("ratelimit.buckets.api.rate", "10");
	}

	private static long taken(HttpApplication application) {
		return 10 - application.bucket("api").availableTokens();
	}

	@ParameterizedTest
	@EnumSource
	void aPatternNeedsNoSlashInFront(HttpServer server) {
		try (HttpApplication application = route("api/**", ApiController.class).start(server)) {
			assertThat(application.get("/api/items").statusCode()).isEqualTo(200);
			assertThat(taken(application)).isOne();
		}
	}

	@ParameterizedTest
	@EnumSource
	void aRouteMatchesAsTheControllersOfTheApplicationDo(HttpServer server) {
		try (HttpApplication application = route("/api/items", ApiController.class)
			.with(HttpServer.TOMCAT, AnyCaseOnTomcat.class)
			.with(HttpServer.NETTY, AnyCaseOnNetty.class)
			.start(server)) {
			assertThat(application.get("/API/items").statusCode()).isEqualTo(200);
			assertThat(taken(application)).isOne();
		}
	}

	@ParameterizedTest
	@EnumSource
	void matrixParametersAndEncodingsDoNotHideAPath(HttpServer server) {
		try (HttpApplication application = route("/api/**", ApiController.class).start(server)) {
			assertThat(application.get("/api;a=b/items").statusCode()).isEqualTo(200);
			assertThat(application.get("/%61pi/items").statusCode()).isEqualTo(200);
			assertThat(taken(application)).isEqualTo(2);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/console/x", "//console/x", "/./console/x", "/other/../console/x", "/%63onsole/x",
			"/console;a=b/x", "/a;b/../console/x" })
	void aServletIsLimitedHoweverItsPathIsWritten(String path) {
		try (HttpApplication application = route("/console/**", ConsoleConfiguration.class).start(HttpServer.TOMCAT)) {
			assertThat(application.raw("GET", path).status()).isEqualTo(200);
			assertThat(taken(application)).isOne();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "forward", "forward-later", "forward-twice" })
	void aRequestThatIsForwardedPaysOnce(String path) {
		try (HttpApplication application = route("/**", ForwardingController.class).start(HttpServer.TOMCAT)) {
			assertThat(application.get("/" + path).body()).isEqualTo("ok");
			assertThat(taken(application)).isOne();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "after-security", "before-security" })
	void thePathBeginsBehindThatOfTheApplication(String order) {
		try (HttpApplication application = route("/mvc/api/**", ApiController.class, SecurityThatReadsPaths.class)
			.with("spring.mvc.servlet.path", "/mvc")
			.with("server.servlet.context-path", "/shop")
			.with("ratelimit.http.routes[0].order", order)
			.start(HttpServer.TOMCAT)) {
			assertThat(application.get("/shop/mvc/api/items").statusCode()).isEqualTo(200);
			assertThat(taken(application)).isOne();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/users/bob/x", "/users/alice/../bob/x" })
	void aVariableIsWhatTheServletReads(String path) {
		try (HttpApplication application = route("/users/{user}/**", ConsoleConfiguration.class)
			.with("ratelimit.http.routes[0].key", "#user")
			.start(HttpServer.TOMCAT)) {
			assertThat(application.raw("GET", path).status()).isEqualTo(200);
			assertThat(application.bucket("api", "bob").availableTokens()).isEqualTo(9);
		}
	}

	@RestController
	static class ApiController {

		@GetMapping("/api/items")
		Mono<String> items() {
			return Mono.just("ok");
		}

	}

	@Controller
	static class ForwardingController {

		@GetMapping("/forward")
		String forward() {
			return "forward:/target";
		}

		@GetMapping("/forward-later")
		Callable<String> forwardLater() {
			return () -> "forward:/target";
		}

		@GetMapping("/forward-twice")
		Callable<String> forwardTwice() {
			return () -> "forward:/forward-later";
		}

		@GetMapping("/target")
		@ResponseBody
		String target() {
			return "ok";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ConsoleConfiguration {

		@Bean
		ServletRegistrationBean<HttpServlet> console() {
			return new ServletRegistrationBean<>(new HttpServlet() {

				@Override
				protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
					response.getWriter().write("ok");
				}

			}, "/console/*", "/users/*");
		}

	}

	/**
	 * Leaves the path that it has parsed in the request, as others may find it.
	 */
	@Configuration(proxyBeanMethods = false)
	static class SecurityThatReadsPaths {

		@Bean
		FilterRegistrationBean<Filter> readingFilter() {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
				ServletRequestPathUtils.parseAndCache((HttpServletRequest) request);
				chain.doFilter(request, response);
			});
			registration.setOrder(-100);
			return registration;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnyCaseOnTomcat implements WebMvcConfigurer {

		@Override
		public void configurePathMatch(org.springframework.web.servlet.config.annotation.PathMatchConfigurer paths) {
			PathPatternParser parser = new PathPatternParser();
			parser.setCaseSensitive(false);
			paths.setPatternParser(parser);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnyCaseOnNetty implements WebFluxConfigurer {

		@Override
		public void configurePathMatching(org.springframework.web.reactive.config.PathMatchConfigurer paths) {
			paths.setUseCaseSensitiveMatch(false);
		}

	}

}
