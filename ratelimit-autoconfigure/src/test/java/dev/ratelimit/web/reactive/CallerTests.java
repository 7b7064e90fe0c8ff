package dev.ratelimit.web.reactive;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for who is calling, as limits see it.
 */
class CallerTests {

	@Test
	void aClientThatForwardsForItselfChangesNothing() {
		try (NettyServer server = NettyServer.start(CallerController.class)) {
			assertThat(status(server, "/client", "X-Forwarded-For", "192.0.2.1")).isEqualTo(200);
			assertThat(status(server, "/client", "X-Forwarded-For", "192.0.2.2")).isEqualTo(429);
			assertThat(status(server, "/client", "Forwarded", "for=192.0.2.3")).isEqualTo(429);
		}
	}

	@Test
	void aTrustedProxyTellsTheClient() {
		try (NettyServer server = NettyServer
			.start(new String[] { "ratelimit.http.client-ip.trusted-proxies=127.0.0.0/8" }, CallerController.class)) {
			assertThat(status(server, "/client", "X-Forwarded-For", "192.0.2.1")).isEqualTo(200);
			assertThat(status(server, "/client", "X-Forwarded-For", "192.0.2.9, 192.0.2.1")).isEqualTo(429);
			assertThat(status(server, "/client", "X-Forwarded-For", "192.0.2.9", "X-Forwarded-For", "192.0.2.1"))
				.isEqualTo(429);
			assertThat(status(server, "/client", "Forwarded", "for=\"[2001:db8::1]:4711\"")).isEqualTo(200);
			assertThat(status(server, "/client", "Forwarded", "for=\"[2001:db8::2]\"")).isEqualTo(429);
		}
	}

	@Test
	void whatSpringBelievesOfForwardedRequestsIsNotBelieved() {
		try (NettyServer server = NettyServer.start(new String[] { "server.forward-headers-strategy=framework" },
				CallerController.class)) {
			assertThat(status(server, "/client", "X-Forwarded-For", "192.0.2.1")).isEqualTo(200);
			assertThat(status(server, "/client", "X-Forwarded-For", "192.0.2.2")).isEqualTo(429);
		}
	}

	@Test
	void aTrustedProxyIsBelievedOnceWhereSpringTreatsForwardedRequestsToo() {
		try (NettyServer server = NettyServer.start(new String[] { "server.forward-headers-strategy=framework",
				"ratelimit.http.client-ip.trusted-proxies=127.0.0.0/8" }, CallerController.class)) {
			assertThat(status(server, "/client", "X-Forwarded-For", "192.0.2.9, 192.0.2.1")).isEqualTo(200);
			assertThat(status(server, "/client", "X-Forwarded-For", "192.0.2.1")).isEqualTo(429);
			assertThat(status(server, "/client", "X-Forwarded-For", "192.0.2.9")).isEqualTo(200);
		}
	}

	@Test
	void aHeaderTellsCallersApartAndWithoutItTheyShareABucket() {
		try (NettyServer server = NettyServer.start(CallerController.class)) {
			assertThat(status(server, "/header", "x-api-key", "a")).isEqualTo(200);
			assertThat(status(server, "/header", "X-Api-Key", "a")).isEqualTo(429);
			assertThat(status(server, "/header", "X-Api-Key", "b")).isEqualTo(200);
			assertThat(status(server, "/header")).isEqualTo(200);
			assertThat(status(server, "/header", "X-Api-Key", "")).isEqualTo(429);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/principal", "/root", "/plain-principal", "/future-principal" })
	void springSecurityTellsThePrincipal(String path) {
		try (NettyServer server = NettyServer.start(CallerController.class, PlainCallerController.class,
				Security.class)) {
			assertThat(status(server, path, "Authorization", basic("alice"))).isEqualTo(200);
			assertThat(status(server, path, "Authorization", basic("alice"))).isEqualTo(429);
			assertThat(status(server, path, "Authorization", basic("bob"))).isEqualTo(200);
			assertThat(status(server, path)).isEqualTo(200);
			assertThat(status(server, path)).isEqualTo(429);
		}
	}

	@Test
	void anAnonymousCallerHasNoName() {
		try (NettyServer server = NettyServer.start(CallerController.class, Security.class)) {
			String path = "/principal-or-client";
			assertThat(status(server, path, "X-Client", "a")).isEqualTo(200);
			assertThat(status(server, path, "X-Client", "b")).isEqualTo(200);
			assertThat(status(server, path, "X-Client", "c", "Authorization", basic("alice"))).isEqualTo(200);
			assertThat(status(server, path, "X-Client", "d", "Authorization", basic("alice"))).isEqualTo(429);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/principal", "/plain-principal", "/future-principal" })
	void aFilterOfTheApplicationTellsThePrincipalInItsOwnTime(String path) {
		try (NettyServer server = NettyServer.start(CallerController.class, PlainCallerController.class,
				SlowFilter.class)) {
			assertThat(status(server, path, "X-User", "alice")).isEqualTo(200);
			assertThat(status(server, path, "X-User", "alice")).isEqualTo(429);
			assertThat(status(server, path, "X-User", "bob")).isEqualTo(200);
			assertThat(status(server, path, "X-User", "error")).isEqualTo(200);
			assertThat(status(server, path)).isEqualTo(429);
		}
	}

	@Test
	void nobodyIsAskedWhoIsCallingWhereNoKeyAsks() {
		try (NettyServer server = NettyServer.start(CallerController.class, SlowFilter.class)) {
			assertThat(status(server, "/client", "X-User", "alice")).isEqualTo(200);
			assertThat(server.bean(AtomicInteger.class)).hasValue(0);
			assertThat(status(server, "/principal", "X-User", "alice")).isEqualTo(200);
			assertThat(server.bean(AtomicInteger.class)).hasValue(1);
		}
	}

	@Test
	void aLimitBeforeSpringSecurityKnowsItsClientAndIsAnswered() {
		try (NettyServer server = NettyServer.start(CallerController.class, Security.class, EarlyLimit.class,
				EarlyLimit.Logins.class)) {
			assertThat(server.get("/header", "X-Api-Key", "a").headers().firstValue("RateLimit-Policy"))
				.hasValue("\"logins\";q=1;w=3600, \"header\";q=1;w=3600");
			ProblemTests.assertProblem(server.get("/header", "X-Api-Key", "b"));
		}
	}

	private static int status(NettyServer server, String path, String... headers) {
		return server.get(path, headers).statusCode();
	}

	private static String basic(String user) {
		byte[] credentials = (user + ":secret").getBytes(StandardCharsets.UTF_8);
		return "Basic " + Base64.getEncoder().encodeToString(credentials);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class Security {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.httpBasic(Customizer.withDefaults())
				.anonymous(Customizer.withDefaults())
				.authorizeExchange((requests) -> requests.anyExchange().permitAll())
				.build();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			User.UserBuilder user = User.builder().password("{noop}secret").roles("USER");
			return new MapReactiveUserDetailsService(user.username("alice").build(), user.username("bob").build());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SlowFilter {

		@Bean
		AtomicInteger asked() {
			return new AtomicInteger();
		}

		@Bean
		WebFilter authentication(AtomicInteger asked) {
			return (exchange, chain) -> {
				String user = exchange.getRequest().getHeaders().getFirst("X-User");
				Mono<Principal> principal = Mono.<Principal>fromSupplier(() -> principal(user, asked))
					.subscribeOn(Schedulers.parallel());
				return chain.filter(exchange.mutate().principal(principal).build());
			};
		}

		private static Principal principal(String user, AtomicInteger asked) {
			asked.incrementAndGet();
			if ("error".equals(user)) {
				throw new IllegalStateException("The directory is down");
			}
			return (user != null) ? () -> user : null;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyLimit {

		@Bean
		@Order(-1000)
		WebFilter loginFilter(Logins logins) {
			return (exchange, chain) -> logins.attempt().then(chain.filter(exchange));
		}

		static class Logins {

			@RateLimited(name = "logins", rate = 1, per = "1h", key = "clientIp")
			Mono<Void> attempt() {
				return Mono.empty();
			}

		}

	}

}
