package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the address that a limit takes for its caller's, on either server over real
 * sockets. The client stands at {@code 127.0.0.1}, where not said otherwise.
 */
class HttpClientIpTests {

	private static final String SOCKET = "127.0.0.1";

	private static final String TRUSTED = SOCKET + ",10.0.0.0/8,2001:db8:ffff::/48";

	private static final HttpApplications direct = applications();

	private static final HttpApplications proxied = proxied();

	private static final Map<String, HttpApplications> byStrategy = new TreeMap<>(
			Map.of("none", proxied().with("server.forward-headers-strategy", "none"), "native",
					proxied().with("server.forward-headers-strategy", "native"), "framework",
					proxied().with("server.forward-headers-strategy", "framework")
						.with("ratelimit.http.client-ip.ipv6-prefix", "48")));

	private static HttpApplications applications() {
		return HttpApplications.of(CallerController.class, CallerService.class)
			.with(HttpServer.TOMCAT, TomcatCallerController.class)
			.with(HttpServer.NETTY, NettyCallerController.class);
	}

	private static HttpApplications proxied() {
		return applications().with("ratelimit.http.client-ip.trusted-proxies", TRUSTED);
	}

	@AfterAll
	static void stop() {
		direct.close();
		proxied.close();
		byStrategy.values().forEach(HttpApplications::close);
	}

	@ParameterizedTest
	@EnumSource
	void eachAddressHasABucket(HttpServer server) {
		HttpApplication application = direct.on(server);
		assertThat(application.rawFrom("127.0.0.1", "GET", "/ip").status()).isEqualTo(200);
		assertThat(application.rawFrom("127.0.0.2", "GET", "/ip").status()).isEqualTo(200);
		assertThat(application.rawFrom("127.0.0.1", "GET", "/ip").status()).isEqualTo(429);
		assertThat(application.rawFrom("127.0.0.2", "GET", "/ip").status()).isEqualTo(429);
		assertThat(application.bucket("ip").availableTokens()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void everyMethodOfARequestKnowsTheSameAddress(HttpServer server) {
		for (String path : List.of("/ip", "/ip-plain", "/ip-service")) {
			assertCaller(direct.on(server), SOCKET, path);
			assertCaller(proxied.on(server), "203.0.113.7", path, "X-Forwarded-For: 203.0.113.7");
		}
	}

	@ParameterizedTest
	@MethodSource("headersOfAClient")
	void aClientThatForwardsForItselfChangesNothing(HttpServer server, String header) {
		assertCaller(direct.on(server), SOCKET, "/ip", header);
		HttpApplication application = proxied.on(server);
		assertThat(application.rawFrom("127.0.0.2", "GET", "/ip", header).status()).isEqualTo(200);
		assertThat(application.bucket("ip", "127.0.0.2").availableTokens()).isZero();
		assertThat(application.rawFrom("127.0.0.2", "GET", "/ip").status()).isEqualTo(429);
	}

	@ParameterizedTest
	@MethodSource("forwarded")
	void aTrustedProxyTellsTheCaller(HttpServer server, String caller, List<String> headers) {
		assertCaller(proxied.on(server), caller, "/ip", headers.toArray(String[]::new));
	}

	@ParameterizedTest
	@MethodSource("garbage")
	void whatIsNoAddressFallsBackToTheSocket(HttpServer server, String header) {
		assertCaller(proxied.on(server), SOCKET, "/ip", header);
	}

	@ParameterizedTest
	@MethodSource("onePrefix")
	void addressesOfOneSubnetAreOneCaller(HttpServer server, String one, String other) {
		HttpApplication application = proxied.on(server);
		assertThat(application.raw("GET", "/ip", one).status()).isEqualTo(200);
		assertThat(application.raw("GET", "/ip", other).status()).isEqualTo(429);
		assertThat(application.bucket("ip").availableTokens()).isOne();
		assertThat(application.bucket("ip", SOCKET).availableTokens()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void addressesOfOtherSubnetsAreOtherCallers(HttpServer server) {
		HttpApplication application = proxied.on(server);
		assertThat(application.raw("GET", "/ip", "X-Forwarded-For: 2001:db8:1:2::1").status()).isEqualTo(200);
		assertThat(application.raw("GET", "/ip", "X-Forwarded-For: 2001:db8:1:3::1").status()).isEqualTo(200);
		assertThat(application.raw("GET", "/ip", "X-Forwarded-For: 203.0.113.7").status()).isEqualTo(200);
		assertThat(application.raw("GET", "/ip", "X-Forwarded-For: 203.0.113.8").status()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void theLengthOfThePrefixCanBeSet(HttpServer server) {
		HttpApplication application = byStrategy.get("framework").on(server);
		assertThat(application.raw("GET", "/ip", "X-Forwarded-For: 2001:db8:1:2::1").status()).isEqualTo(200);
		assertThat(application.raw("GET", "/ip", "X-Forwarded-For: 2001:db8:1:3::1").status()).isEqualTo(429);
		assertThat(application.raw("GET", "/ip", "X-Forwarded-For: 2001:db8:2:2::1").status()).isEqualTo(200);
	}

	@ParameterizedTest
	@MethodSource("strategies")
	void nothingIsCountedTwiceWhereTheServerOrSpringHeedsForwarding(HttpServer server, String strategy) {
		HttpApplications applications = byStrategy.get(strategy);
		assertCaller(applications.on(server), "203.0.113.7", "/ip", "X-Forwarded-For: 203.0.113.7");
		assertCaller(applications.on(server), "203.0.113.7", "/ip", "X-Forwarded-For: 203.0.113.7, 10.1.2.3");
		assertCaller(applications.on(server), "203.0.113.7", "/ip", "Forwarded: for=203.0.113.7");
		assertCaller(applications.on(server), SOCKET, "/ip");
	}

	@ParameterizedTest
	@MethodSource("strategies")
	void aClientThatForwardsForItselfChangesNothingWhoeverHeedsForwarding(HttpServer server, String strategy) {
		HttpApplications applications = byStrategy.get(strategy);
		assertCaller(applications.on(server), "203.0.113.7", "/ip", "X-Forwarded-For: 198.51.100.9, 203.0.113.7");
		assertCaller(applications.on(server), "203.0.113.7", "/ip",
				"X-Forwarded-For: 198.51.100.9, 203.0.113.7, 10.1.2.3");
		assertCaller(applications.on(server), "203.0.113.7", "/ip", "Forwarded: for=198.51.100.9, for=203.0.113.7");
	}

	@Test
	void eitherServerChoosesTheSameOfTwoKindsOfHeaders() {
		for (String[] headers : List.of(new String[] { "Forwarded: for=203.0.113.7", "X-Forwarded-For: 198.51.100.9" },
				new String[] { "X-Forwarded-For: 198.51.100.9", "Forwarded: for=203.0.113.7" })) {
			List<List<Long>> left = Stream.of(HttpServer.values()).map((server) -> {
				HttpApplication application = proxied.on(server);
				application.raw("GET", "/ip", headers);
				return Stream.of("203.0.113.7", "198.51.100.9", SOCKET)
					.map((key) -> application.bucket("ip", key).availableTokens())
					.toList();
			}).toList();
			assertThat(left.get(0)).containsOnlyOnce(0L).isEqualTo(left.get(1));
		}
	}

	private static void assertCaller(HttpApplication application, String caller, String path, String... headers) {
		application.refill();
		assertThat(application.raw("GET", path, headers).status()).isEqualTo(200);
		assertThat(application.bucket("ip", caller).availableTokens())
			.as("tokens of %s after %s", caller, List.of(headers))
			.isZero();
		assertThat(application.raw("GET", path, headers).status()).isEqualTo(429);
		assertThat(application.bucket("ip").availableTokens()).isOne();
	}

	private static Stream<Arguments> strategies() {
		return onBoth(byStrategy.keySet().stream().map((strategy) -> new Object[] { strategy }));
	}

	private static Stream<Arguments> headersOfAClient() {
		return onBoth(Stream
			.of("X-Forwarded-For: 203.0.113.7", "X-Forwarded-For: 10.0.0.1", "Forwarded: for=203.0.113.7",
					"X-Real-IP: 203.0.113.7", "X-Forwarded-For: 127.0.0.1, 127.0.0.1", "X-Forwarded-For: ,",
					"X-Forwarded-Host: 203.0.113.7", "True-Client-IP: 203.0.113.7")
			.map((header) -> new Object[] { header }));
	}

	private static Stream<Arguments> forwarded() {
		return onBoth(Stream.of(callerOf("127.0.0.1", "Accept: */*"),
				callerOf("203.0.113.7", "X-Forwarded-For: 203.0.113.7"),
				callerOf("203.0.113.7", "x-forwarded-for:203.0.113.7"),
				callerOf("203.0.113.7", "X-Forwarded-For: 198.51.100.9, 203.0.113.7"),
				callerOf("203.0.113.7", "X-Forwarded-For: 198.51.100.9 ,\t203.0.113.7 ,10.1.2.3,10.200.0.1"),
				callerOf("203.0.113.7", "X-Forwarded-For: nonsense, 203.0.113.7, 10.1.2.3"),
				callerOf("203.0.113.7", "X-Forwarded-For: 10.9.9.9, 203.0.113.7, 10.1.2.3"),
				callerOf("203.0.113.7", "X-Forwarded-For: 203.0.113.7, 2001:db8:ffff::9"),
				callerOf("203.0.113.7", "X-Forwarded-For: 203.0.113.7, ::ffff:10.1.2.3"),
				callerOf("11.1.2.3", "X-Forwarded-For: 203.0.113.7, 11.1.2.3"),
				callerOf("203.0.113.7", "X-Forwarded-For: 198.51.100.9", "X-Forwarded-For: 203.0.113.7"),
				callerOf("203.0.113.7", "X-Forwarded-For: 203.0.113.7", "X-Forwarded-For: 10.1.2.3"),
				callerOf("203.0.113.7", "X-Forwarded-For: 198.51.100.9, 203.0.113.7", "Accept: */*",
						"X-Forwarded-For: 10.1.2.3"),
				callerOf("203.0.113.7", "X-Forwarded-For: 203.0.113.7:4711"),
				callerOf("203.0.113.7", "X-Forwarded-For: ::ffff:203.0.113.7"),
				callerOf("203.0.113.7", "X-Forwarded-For: ::FFFF:cb00:7107"),
				callerOf("203.0.113.7", "X-Forwarded-For: 0:0:0:0:0:ffff:203.0.113.7"),
				callerOf("203.0.113.7", "X-Forwarded-For: [::ffff:203.0.113.7]:4711"),
				callerOf("203.0.113.7", "Forwarded: for=203.0.113.7"),
				callerOf("203.0.113.7", "forwarded: For=203.0.113.7;proto=http;by=203.0.113.43"),
				callerOf("203.0.113.7", "Forwarded: proto=https;host=\"a.example\";for=203.0.113.7"),
				callerOf("203.0.113.7", "Forwarded: for=\"203.0.113.7:4711\""),
				callerOf("203.0.113.7", "Forwarded: for=\"203.0.113.7:_port\""),
				callerOf("203.0.113.7", "Forwarded: for=\"[::ffff:203.0.113.7]:4711\""),
				callerOf("203.0.113.7", "Forwarded: for=198.51.100.9, for=203.0.113.7"),
				callerOf("203.0.113.7", "Forwarded: for=203.0.113.7, for=10.1.2.3, for=\"[2001:db8:ffff::1]\""),
				callerOf("203.0.113.7", "Forwarded: for=198.51.100.9", "Forwarded: for=203.0.113.7;by=10.1.2.3"),
				callerOf("203.0.113.7", "Forwarded: for=198.51.100.9;host=\"a,for=1.1.1.1\", for=203.0.113.7"),
				callerOf("203.0.113.7", "Forwarded: for=203.0.113.7;host=\"a\\\",for=1.1.1.1\"")));
	}

	private static Object[] callerOf(String caller, String... headers) {
		return new Object[] { caller, List.of(headers) };
	}

	private static Stream<Arguments> garbage() {
		return onBoth(Stream
			.of("X-Forwarded-For: ", "X-Forwarded-For: unknown", "X-Forwarded-For: localhost",
					"X-Forwarded-For: www.example.com", "X-Forwarded-For: 999.1.1.1", "X-Forwarded-For: 203.0.113",
					"X-Forwarded-For: 203.0.113.7.1", "X-Forwarded-For: 3405803783", "X-Forwarded-For: 0xcb.0.0x71.7",
					"X-Forwarded-For: 203.0.113.7, unknown", "X-Forwarded-For: 203.0.113.7, 2001:db8::1::2",
					"X-Forwarded-For: 203.0.113.7 203.0.113.8", "X-Forwarded-For: [2001:db8::1",
					"X-Forwarded-For: 2001:db8:12345::1", "X-Forwarded-For: ::ffff:999.1.1.1", "X-Forwarded-For: -1",
					"X-Forwarded-For: \u00e4.0.113.7", "X-Forwarded-For: " + "1".repeat(4000),
					"X-Forwarded-For: " + "1.".repeat(2000), "Forwarded: for=unknown", "Forwarded: for=_hidden",
					"Forwarded: for=203.0.113.7, for=unknown", "Forwarded: for=203.0.113.7, for=\"_x:4711\"",
					"Forwarded: by=203.0.113.7", "Forwarded: for", "Forwarded: for=", "Forwarded: for=\"203.0.113.7",
					"Forwarded: for=\"\"", "Forwarded: ;,;=\"")
			.map((header) -> new Object[] { header }));
	}

	private static Stream<Arguments> onePrefix() {
		return onBoth(Stream.of(
				new Object[] { "X-Forwarded-For: 2001:db8:1:2:3:4:5:6", "X-Forwarded-For: 2001:db8:1:2:ffff::1" },
				new Object[] { "X-Forwarded-For: 2001:db8:1:2::1", "X-Forwarded-For: 2001:0DB8:0001:0002:0:0:0:1" },
				new Object[] { "X-Forwarded-For: 2001:db8:1:2::1", "X-Forwarded-For: [2001:db8:1:2::9]:4711" },
				new Object[] { "X-Forwarded-For: 2001:db8:1:2::1", "Forwarded: for=\"[2001:db8:1:2::9]:4711\"" },
				new Object[] { "X-Forwarded-For: 2001:db8:1:2::1", "Forwarded: for=\"[2001:db8:1:2::9]\"" },
				new Object[] { "X-Forwarded-For: fe80::1%eth0", "X-Forwarded-For: fe80::2" },
				new Object[] { "X-Forwarded-For: fe80::1%eth0", "X-Forwarded-For: [fe80::3%25eth1]:80" }));
	}

	private static Stream<Arguments> onBoth(Stream<Object[]> cases) {
		return cases.flatMap((arguments) -> Stream.of(HttpServer.values())
			.map((server) -> Arguments.of(Stream.concat(Stream.of(server), Stream.of(arguments)).toArray())));
	}

}
