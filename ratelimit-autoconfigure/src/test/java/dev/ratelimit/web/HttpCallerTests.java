package dev.ratelimit.web;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the names and headers by which a limit tells its callers apart, on either
 * server over real sockets.
 */
class HttpCallerTests {

	private static final HttpApplications secured = applications()
		.with(HttpServer.TOMCAT, TomcatCallerController.class, TomcatSecurity.class)
		.with(HttpServer.NETTY, NettyCallerController.class, NettySecurity.class);

	private static final HttpApplications filtered = applications()
		.with(HttpServer.TOMCAT, TomcatCallerController.class, TomcatPrincipal.class)
		.with(HttpServer.NETTY, NettyCallerController.class, NettyPrincipal.class);

	private static HttpApplications applications() {
		return HttpApplications.of(CallerController.class, CallerService.class);
	}

	@AfterAll
	static void stop() {
		secured.close();
		filtered.close();
	}

	@ParameterizedTest
	@MethodSource("principalPaths")
	void springSecurityTellsThePrincipal(HttpServer server, String path) {
		assertPrincipals(secured.on(server), path, basic("alice"), basic("bob"));
	}

	@ParameterizedTest
	@MethodSource("principalPaths")
	void aFilterOfTheApplicationTellsThePrincipal(HttpServer server, String path) {
		assertPrincipals(filtered.on(server), path, "X-User: alice", "X-User: bob");
	}

	private static void assertPrincipals(HttpApplication application, String path, String alice, String bob) {
		assertThat(application.raw("GET", path, alice).status()).isEqualTo(200);
		assertThat(application.bucket("principal", "alice").availableTokens()).isZero();
		assertThat(application.raw("GET", path, alice).status()).isEqualTo(429);
		assertThat(application.raw("GET", path, bob).status()).isEqualTo(200);
		assertThat(application.bucket("principal").availableTokens()).isOne();
	}

	@ParameterizedTest
	@MethodSource("principalPaths")
	void anonymousCallersShareTheBucketWithoutAKey(HttpServer server, String path) {
		for (HttpApplications applications : List.of(secured, filtered)) {
			HttpApplication application = applications.on(server);
			assertThat(application.rawFrom("127.0.0.1", "GET", path).status()).isEqualTo(200);
			assertThat(application.bucket("principal").availableTokens()).isZero();
			assertThat(application.rawFrom("127.0.0.2", "GET", path).status()).isEqualTo(429);
			assertThat(application.bucket("principal", "anonymousUser").availableTokens()).isOne();
		}
	}

	@ParameterizedTest
	@EnumSource
	void anonymousCallersFallToTheirAddressWhereTheKeySaysSo(HttpServer server) {
		HttpApplication application = secured.on(server);
		assertThat(application.rawFrom("127.0.0.1", "GET", "/principal-or-ip").status()).isEqualTo(200);
		assertThat(application.bucket("principal-or-ip", "127.0.0.1").availableTokens()).isZero();
		assertThat(application.rawFrom("127.0.0.2", "GET", "/principal-or-ip").status()).isEqualTo(200);
		assertThat(application.rawFrom("127.0.0.1", "GET", "/principal-or-ip", basic("alice")).status()).isEqualTo(200);
		assertThat(application.rawFrom("127.0.0.2", "GET", "/principal-or-ip", basic("alice")).status()).isEqualTo(429);
		assertThat(application.rawFrom("127.0.0.1", "GET", "/principal-or-ip").status()).isEqualTo(429);
		assertThat(application.bucket("principal-or-ip").availableTokens()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void aWrongPasswordIsNoPrincipal(HttpServer server) {
		HttpApplication application = secured.on(server);
		assertThat(application.raw("GET", "/principal", "Authorization: Basic YWxpY2U6d3Jvbmc=").status())
			.isEqualTo(401);
		assertThat(application.bucket("principal", "alice").availableTokens()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalKeepsTheHeadersOfSpringSecurity(HttpServer server) {
		HttpApplication application = secured.on(server);
		application.raw("GET", "/principal", basic("alice"));
		RawResponse response = application.raw("GET", "/principal", basic("alice"));
		assertThat(response.status()).isEqualTo(429);
		assertThat(response.values("X-Content-Type-Options")).containsExactly("nosniff");
		assertThat(response.values("Cache-Control")).containsExactly("no-store");
		assertThat(response.values("RateLimit")).containsExactly("\"principal\";r=0;t=1");
	}

	@ParameterizedTest
	@MethodSource("headerPaths")
	void aHeaderTellsCallersApart(HttpServer server, String path) {
		HttpApplication application = filtered.on(server);
		assertThat(application.raw("GET", path, "X-Api-Key: one").status()).isEqualTo(200);
		assertThat(application.bucket("header", "one").availableTokens()).isZero();
		assertThat(application.raw("GET", path, "x-api-key: one").status()).isEqualTo(429);
		assertThat(application.raw("GET", path, "X-Api-Key: two").status()).isEqualTo(200);
		assertThat(application.bucket("header").availableTokens()).isOne();
	}

	@ParameterizedTest
	@MethodSource("headerPaths")
	void anAbsentAndAnEmptyHeaderShareTheBucketWithoutAKey(HttpServer server, String path) {
		HttpApplication application = filtered.on(server);
		assertThat(application.raw("GET", path).status()).isEqualTo(200);
		assertThat(application.bucket("header").availableTokens()).isZero();
		assertThat(application.raw("GET", path, "X-Api-Key:").status()).isEqualTo(429);
		assertThat(application.raw("GET", path, "X-Api-Key: null").status()).isEqualTo(200);
		application.refill();
		assertThat(application.raw("GET", path, "X-Api-Key: ").status()).isEqualTo(200);
		assertThat(application.bucket("header").availableTokens()).isZero();
		assertThat(application.raw("GET", path).status()).isEqualTo(429);
	}

	@ParameterizedTest
	@EnumSource
	void aConditionMayAskForTheCaller(HttpServer server) {
		HttpApplication application = filtered.on(server);
		assertThat(application.raw("GET", "/condition", "X-Internal: yes").status()).isEqualTo(200);
		assertThat(application.raw("GET", "/condition", "X-User: root").status()).isEqualTo(200);
		assertThat(application.raw("GET", "/condition", "X-Internal: yes").values("RateLimit")).isEmpty();
		assertThat(application.bucket("condition").availableTokens()).isOne();
		assertThat(application.raw("GET", "/condition").status()).isEqualTo(200);
		assertThat(application.raw("GET", "/condition").status()).isEqualTo(429);
	}

	private static String basic(String user) {
		String credentials = user + ":" + user;
		return "Authorization: Basic "
				+ Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.US_ASCII));
	}

	private static Stream<Arguments> principalPaths() {
		return onBoth("/principal", "/principal-plain");
	}

	private static Stream<Arguments> headerPaths() {
		return onBoth("/header", "/header-plain");
	}

	private static Stream<Arguments> onBoth(String... paths) {
		return Stream.of(HttpServer.values())
			.flatMap((server) -> Stream.of(paths).map((path) -> Arguments.of(server, path)));
	}

	private static UserDetails[] users() {
		return Stream.of("alice", "bob")
			.map((name) -> User.withUsername(name).password("{noop}" + name).roles("USER").build())
			.toArray(UserDetails[]::new);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class TomcatSecurity {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		UserDetailsService userDetailsService() {
			return new InMemoryUserDetailsManager(users());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class NettySecurity {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		MapReactiveUserDetailsService userDetailsService() {
			return new MapReactiveUserDetailsService(users());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TomcatPrincipal {

		@Bean
		Filter principalFilter() {
			return (request, response, chain) -> chain.doFilter(new Named((HttpServletRequest) request), response);
		}

	}

	private static final class Named extends HttpServletRequestWrapper {

		private Named(HttpServletRequest request) {
			super(request);
		}

		@Override
		public Principal getUserPrincipal() {
			String user = getHeader("X-User");
			return (user != null) ? () -> user : null;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NettyPrincipal {

		@Bean
		WebFilter principalFilter() {
			return (exchange,
					chain) -> chain.filter(exchange.mutate()
						.principal(Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-User"))
							.map((user) -> () -> user))
						.build());
		}

	}

}
