package dev.ratelimit.web.servlet;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the name of the caller where Spring Security knows it.
 */
class PrincipalOverHttpTests {

	private static TestServer server;

	@BeforeAll
	static void startServer() {
		server = TestServer.start(Map.of(), CallerController.class, CallerService.class, Security.class);
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Test
	void aCallerHasItsOwnName() {
		assertThat(server.get("/principal", "Authorization", basic("alice")).body()).isEqualTo("alice");
	}

	@Test
	void anAnonymousCallerHasNone() {
		assertThat(server.get("/principal").body()).isEqualTo("null");
	}

	@Test
	void callersHaveBucketsOfTheirOwn() {
		for (String user : new String[] { "alice", "bob" }) {
			assertThat(server.get("/by-principal", "Authorization", basic(user)).statusCode()).isEqualTo(200);
			assertThat(server.get("/by-principal", "Authorization", basic(user)).statusCode()).isEqualTo(200);
			assertThat(server.get("/by-principal", "Authorization", basic(user)).statusCode()).isEqualTo(429);
		}
		assertThat(server.get("/by-principal").statusCode()).isEqualTo(200);
	}

	private static String basic(String user) {
		return "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Security {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(User.withUsername("alice").password("{noop}secret").build(),
					User.withUsername("bob").password("{noop}secret").build());
		}

	}

}
