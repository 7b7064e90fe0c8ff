package dev.ratelimit.web;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ClientIpResolver}. Proxies are in 10.0.0.0/8 and fd00::/8.
 */
class ClientIpResolverTests {

	private final ClientIpResolver resolver = new ClientIpResolver(List.of("10.0.0.0/8", "fd00::/8", "192.0.2.1"), 64);

	@ParameterizedTest
	@ValueSource(strings = { "203.0.113.9", "11.0.0.1", "9.255.255.255", "192.0.2.2" })
	void aClientThatConnectsItselfCannotClaimAnotherAddress(String client) {
		assertThat(this.resolver.resolve(client, List.of("for=6.6.6.6"), List.of("6.6.6.6"))).isEqualTo(client);
		assertThat(new ClientIpResolver(List.of(), 64).resolve(client, List.of(), List.of("6.6.6.6")))
			.isEqualTo(client);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			203.0.113.9                       | 203.0.113.9
			6.6.6.6, 203.0.113.9              | 203.0.113.9
			6.6.6.6,10.0.0.1,203.0.113.9      | 203.0.113.9
			203.0.113.9, 10.0.0.2, 10.0.0.1   | 203.0.113.9
			6.6.6.6, 203.0.113.9, 192.0.2.1   | 203.0.113.9
			evil", 203.0.113.9                | 203.0.113.9
			\\", 203.0.113.9                  | 203.0.113.9
			for=6.6.6.6, 203.0.113.9          | 203.0.113.9
			203.0.113.9, , ,                  | 203.0.113.9
			203.0.113.9:4711                  | 203.0.113.9
			10.0.0.7                          | 10.0.0.7
			10.0.0.8, 10.0.0.7                | 10.0.0.8
			::ffff:203.0.113.9                | 203.0.113.9
			[::ffff:cb00:7109]:80             | 203.0.113.9
			2001:DB8:0:0:1::1                 | 2001:db8::/64
			2001:db8::1                       | 2001:db8::/64
			[2001:db8:1:2:3::]:443            | 2001:db8:1:2::/64
			fe80::1%eth0                      | fe80::/64
			203.0.113.9, unknown              | 10.0.0.1
			203.0.113.9, proxy.example        | 10.0.0.1
			203.0.113.9, 10.0.0.256           | 10.0.0.1
			203.0.113.9, 010.0.0.2            | 10.0.0.1
			203.0.113.9, 10.2                 | 10.0.0.1
			203.0.113.9, 0x0a000002           | 10.0.0.1
			203.0.113.9, 167772162            | 10.0.0.1
			203.0.113.9, garbage, 10.0.0.2    | 10.0.0.1
			203.0.113.9; 10.0.0.2             | 10.0.0.1
			203.0.113.9/24                    | 10.0.0.1
			-                                 | 10.0.0.1
			,                                 | 10.0.0.1
			""")
	void followsXForwardedForFromTheRight(String field, String client) {
		assertThat(this.resolver.resolve("10.0.0.1", List.of(), lines(field))).isEqualTo(client);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '\'', nullValues = "-", textBlock = """
			for=203.0.113.9                                    | 203.0.113.9
			For="203.0.113.9:4711";proto=https                 | 203.0.113.9
			proto=https ; FOR=203.0.113.9;by=10.0.0.1          | 203.0.113.9
			for="[2001:db8:cafe::17]:4711"                     | 2001:db8:cafe::/64
			for="203.0.113.9:_port"                            | 203.0.113.9
			for="20\\3.0.113.9"                                | 203.0.113.9
			for=6.6.6.6, for=203.0.113.9                       | 203.0.113.9
			for=6.6.6.6, for=203.0.113.9, for="[fd00::1]"      | 203.0.113.9
			for="6.6.6.6, for=203.0.113.9                      | 203.0.113.9
			for="6.6.6.6\\, for=203.0.113.9                    | 203.0.113.9
			for="6.6.6.6\\", for="203.0.113.9"                 | 203.0.113.9
			for="6.6.6.6, for="[fd00::1]";by="a, for=5.5.5.5"  | -
			for=203.0.113.9;host="a,b;for=6.6.6.6"             | 203.0.113.9
			for=10.0.0.7                                       | 10.0.0.7
			for=unknown                                        | 10.0.0.1
			for="_obfuscated"                                  | 10.0.0.1
			for=203.0.113.9, for=_hidden                       | 10.0.0.1
			for=203.0.113.9, proto=https                       | 10.0.0.1
			for=203.0.113.9, proto=https, for=10.0.0.2         | 10.0.0.1
			for=                                               | 10.0.0.1
			203.0.113.9                                        | 10.0.0.1
			""")
	void followsForwardedFromTheRight(String field, String client) {
		String expected = (client != null) ? client : "10.0.0.1";
		assertThat(this.resolver.resolve("10.0.0.1", lines(field), List.of())).isEqualTo(expected);
	}

	@Test
	void linesOfOneFieldAreOneList() {
		assertThat(
				this.resolver.resolve("10.0.0.1", List.of(), List.of("6.6.6.6", "203.0.113.9, 10.0.0.3", "10.0.0.2")))
			.isEqualTo("203.0.113.9");
		assertThat(
				this.resolver.resolve("10.0.0.1", List.of("for=6.6.6.6", "for=203.0.113.9", "for=10.0.0.2"), List.of()))
			.isEqualTo("203.0.113.9");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			for=203.0.113.9              | 203.0.113.9           | 203.0.113.9
			for="203.0.113.9:4711"       | 203.0.113.9, 10.0.0.2 | 203.0.113.9
			for=203.0.113.9              | 6.6.6.6               | 10.0.0.1
			for=6.6.6.6                  | 203.0.113.9           | 10.0.0.1
			for=6.6.6.6, for=203.0.113.9 | 6.6.6.6               | 10.0.0.1
			for=10.0.0.2                 | 203.0.113.9, 10.0.0.2 | 203.0.113.9
			for=203.0.113.9              | 10.0.0.2              | 203.0.113.9
			for=10.0.0.2                 | 10.0.0.3              | 10.0.0.1
			for=unknown                  | 203.0.113.9           | 10.0.0.1
			for=203.0.113.9              | unknown               | 10.0.0.1
			proto=https                  | 203.0.113.9           | 203.0.113.9
			""")
	void twoFieldsThatContradictEachOtherAreNotBelieved(String forwarded, String xForwardedFor, String client) {
		assertThat(this.resolver.resolve("10.0.0.1", List.of(forwarded), List.of(xForwardedFor))).isEqualTo(client);
	}

	@ParameterizedTest
	@CsvSource({ "203.0.113.9, 203.0.113.9", "::ffff:203.0.113.9, 203.0.113.9", "0:0:0:0:0:ffff:cb00:7109, 203.0.113.9",
			"2001:db8:0:1:2:3:4:5, 2001:db8:0:1::/64", "fe80:0:0:0:1:2:3:4%en0, fe80::/64", "::1, ::/64" })
	void writesAnAddressInOneWay(String socket, String client) {
		assertThat(this.resolver.resolve(socket, List.of(), List.of())).isEqualTo(client);
	}

	@ParameterizedTest
	@CsvSource({ "1, 8000::/1", "16, ffff::/16", "56, ffff:ffff:ffff:ff00::/56", "63, ffff:ffff:ffff:fffe::/63",
			"127, ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe/127", "128, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" })
	void cutsIpv6ToThePrefix(int prefix, String client) {
		assertThat(new ClientIpResolver(List.of(), prefix).resolve("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", List.of(),
				List.of()))
			.isEqualTo(client);
	}

	@Test
	void neighboursBehindOnePrefixAreToldApartAsProxies() {
		ClientIpResolver one = new ClientIpResolver(List.of("2001:db8::1"), 64);
		assertThat(one.resolve("2001:db8::1", List.of(), List.of("203.0.113.9"))).isEqualTo("203.0.113.9");
		assertThat(one.resolve("2001:db8::2", List.of(), List.of("203.0.113.9"))).isEqualTo("2001:db8::/64");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "unix:", "localhost", "/run/app.sock" })
	void aConnectionWithoutAnAddressHasNoClientIp(String socket) {
		assertThat(this.resolver.resolve(socket, List.of("for=203.0.113.9"), List.of("203.0.113.9"))).isNull();
		assertThat(this.resolver.resolve(null, List.of(), List.of("203.0.113.9"))).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "0.0.0.0/0, 203.0.113.9", "203.0.113.8/31, 203.0.113.9", "203.0.113.0/24, ::ffff:203.0.113.9",
			"::ffff:203.0.113.0/120, 203.0.113.9", "::/0, 2001:db8::1", "2001:db8::/32, 2001:db8:ffff::1",
			"203.0.113.9/32, 203.0.113.9", "203.0.113.77/24, 203.0.113.9", "' 203.0.113.9 ', 203.0.113.9" })
	void aRangeHoldsAProxy(String range, String proxy) {
		assertThat(new ClientIpResolver(List.of(range), 64).resolve(proxy, List.of(), List.of("8.8.8.8, 8.8.4.4")))
			.startsWith("8.8.");
	}

	@ParameterizedTest
	@CsvSource({ "203.0.113.8/32, 203.0.113.9", "203.0.113.0/29, 203.0.113.9", "::/0, 203.0.113.9",
			"0.0.0.0/0, 2001:db8::1", "2001:db8::/127, 2001:db8::2" })
	void aRangeHoldsNoOtherAddress(String range, String stranger) {
		assertThat(new ClientIpResolver(List.of(range), 128).resolve(stranger, List.of(), List.of("8.8.8.8")))
			.isEqualTo(stranger);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "proxy.example", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0",
			"10.*", "10.0.0.256", "2001:db8::/129", "::ffff:10.0.0.0/95", "10.0.0.1:80", "[fd00::1]", "fe80::1%eth0",
			"10.0.0.0-10.0.0.9" })
	void aBadProxyIsNamed(String proxy) {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> new ClientIpResolver(List.of("10.0.0.1", proxy), 64))
			.satisfies((failure) -> assertThat(failure.getFaults()).singleElement()
				.extracting(Fault::problem, Fault::remedy)
				.satisfies((fault) -> assertThat(fault.toString())
					.contains("ratelimit.http.client-ip.trusted-proxies[1]", "'" + proxy + "'", "\"10.0.0.0/8\"")));
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 129 })
	void aBadPrefixIsNamedWithAllOtherFaults(int prefix) {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> new ClientIpResolver(List.of("a", "b"), prefix))
			.satisfies((failure) -> assertThat(failure.getFaults()).hasSize(3))
			.withMessageContaining("ratelimit.http.client-ip.ipv6-prefix must be from 1 to 128, but was " + prefix);
	}

	@Test
	void thousandsOfHopsCostNoMoreThanReadingThem() {
		String trusted = String.join(", ", Collections.nCopies(100_000, "10.0.0.2"));
		assertThat(this.resolver.resolve("10.0.0.1", List.of(), List.of(trusted))).isEqualTo("10.0.0.2");
		String quotes = "\\".repeat(100_000) + "\"".repeat(100_000);
		assertThat(this.resolver.resolve("10.0.0.1", List.of(quotes), List.of())).isEqualTo("10.0.0.1");
		String long1 = "1".repeat(1_000_000);
		assertThat(this.resolver.resolve("10.0.0.1", List.of(), List.of(long1 + ":"))).isEqualTo("10.0.0.1");
		List<String> lines = Collections.nCopies(100_000, "");
		assertThat(this.resolver.resolve("10.0.0.1", lines, lines)).isEqualTo("10.0.0.1");
	}

	private static List<String> lines(String field) {
		return (field != null) ? Arrays.asList(field) : List.of();
	}

}
