package dev.ratelimit.web.servlet;

import java.net.http.HttpResponse;
import java.util.Map;

import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for who is calling, over HTTP.
 */
class CallerOverHttpTests {

	private static final String SELF = "127.0.0.1";

	private static TestServer server;

	private static TestServer behindProxy;

	@BeforeAll
	static void startServers() {
		server = start(Map.of());
		behindProxy = start(Map.of("ratelimit.http.client-ip.trusted-proxies", "127.0.0.0/8, 10.0.0.0/8"));
	}

	@AfterAll
	static void stopServers() {
		server.close();
		behindProxy.close();
	}

	@BeforeEach
	void refill() {
		server.bean(RateLimiterRegistry.class).refillAll();
	}

	@Test
	void aClientThatForgesItsAddressChangesNothing() {
		assertThat(server.get("/client-ip").body()).isEqualTo(SELF);
		assertThat(forged(server)).isEqualTo(SELF);
		for (int call = 0; call < 2; call++) {
			assertThat(server.get("/by-client-ip", "X-Forwarded-For", "6.6.6." + call).statusCode()).isEqualTo(200);
		}
		assertThat(server.get("/by-client-ip", "X-Forwarded-For", "6.6.6.9").statusCode()).isEqualTo(429);
		assertThat(server.get("/by-client-ip", "Forwarded", "for=6.6.6.9").statusCode()).isEqualTo(429);
	}

	@Test
	void aTrustedProxyTellsTheClient() {
		assertThat(behindProxy.get("/client-ip").body()).isEqualTo(SELF);
		assertThat(forwarded(behindProxy, "6.6.6.6, 203.0.113.9, 10.0.0.2")).isEqualTo("203.0.113.9");
		assertThat(behindProxy.get("/client-ip", "Forwarded", "for=6.6.6.6, for=\"[2001:db8::1]:80\"").body())
			.isEqualTo("2001:db8::/64");
		assertThat(
				behindProxy.get("/client-ip", "X-Forwarded-For", "6.6.6.6", "X-Forwarded-For", "203.0.113.9, 10.0.0.3")
					.body())
			.isEqualTo("203.0.113.9");
	}

	@ParameterizedTest
	@CsvSource({ "native, ''", "native, 127.0.0.0/8", "framework, 127.0.0.0/8", "none, 127.0.0.0/8" })
	void theStrategyOfSpringBootCountsNoProxyTwice(String strategy, String trusted) {
		try (TestServer strategic = start(Map.of("server.forward-headers-strategy", strategy,
				"ratelimit.http.client-ip.trusted-proxies", trusted))) {
			assertThat(forwarded(strategic, "6.6.6.6, 203.0.113.9")).isEqualTo("203.0.113.9");
			assertThat(forwarded(strategic, "203.0.113.9")).isEqualTo("203.0.113.9");
			assertThat(strategic.get("/client-ip").body()).isEqualTo(SELF);
		}
	}

	@Test
	void theFrameworkStrategyAloneMakesNoClientTrustworthy() {
		try (TestServer framework = start(Map.of("server.forward-headers-strategy", "framework"))) {
			assertThat(framework.get("/remote-address", "X-Forwarded-For", "6.6.6.6, 203.0.113.9").body())
				.isEqualTo("6.6.6.6");
			assertThat(forged(framework)).isEqualTo(SELF);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/by-principal", "/by-header" })
	void unknownCallersShareTheBucketWithoutAKey(String path) {
		assertThat(server.get(path).statusCode()).isEqualTo(200);
		assertThat(server.get(path, "X-Api-Key", "").statusCode()).isEqualTo(200);
		assertThat(server.get(path).statusCode()).isEqualTo(429);
	}

	@Test
	void aHeaderTellsCallersApart() {
		for (String key : new String[] { "a", "b" }) {
			assertThat(server.get("/by-header", "X-Api-Key", key).statusCode()).isEqualTo(200);
			assertThat(server.get("/by-header", "x-api-key", key).statusCode()).isEqualTo(200);
			assertThat(server.get("/by-header", "X-Api-Key", key).statusCode()).isEqualTo(429);
		}
	}

	@Test
	void anAnonymousCallerFallsBackToTheAddress() {
		assertThat(server.get("/by-principal-or-client-ip").statusCode()).isEqualTo(200);
		assertThat(available("byEither", SELF)).isEqualTo(1);
	}

	@Test
	void aServiceBelowTheControllerKnowsTheCaller() {
		assertThat(server.get("/in-service").statusCode()).isEqualTo(200);
		assertThat(available("service", SELF)).isEqualTo(1);
	}

	@Test
	void aCallableKnowsTheCallerAndItsDecisionIsTold() {
		HttpResponse<String> response = server.get("/callable-by-client-ip");
		assertThat(response.headers().firstValue("RateLimit")).hasValue("\"service\";r=1;t=3600");
		assertThat(available("service", SELF)).isEqualTo(1);
	}

	@Test
	void aThreadOfItsOwnHasNoCaller() {
		HttpResponse<String> response = server.get("/off-thread");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().map()).doesNotContainKey("ratelimit");
		assertThat(available("service", SELF)).isEqualTo(2);
		assertThat(server.bean(RateLimiterRegistry.class).get("service").bucket().availableTokens()).isEqualTo(1);
	}

	private static long available(String name, String key) {
		return server.bean(RateLimiterRegistry.class).get(name).bucket(key).availableTokens();
	}

	private static String forged(TestServer server) {
		assertThat(server.get("/client-ip", "Forwarded", "for=203.0.113.9").body()).isEqualTo(SELF);
		return forwarded(server, "6.6.6.6, 203.0.113.9");
	}

	private static String forwarded(TestServer server, String field) {
		return server.get("/client-ip", "X-Forwarded-For", field).body();
	}

	private static TestServer start(Map<String, Object> properties) {
		return TestServer.start(properties, CallerController.class, CallerService.class);
	}

}
