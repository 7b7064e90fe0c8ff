package dev.ratelimit.web;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IpAddress}.
 */
class IpAddressTests {

	/**
	 * The examples of RFC 5952, section 4.
	 */
	@ParameterizedTest
	@CsvSource({ "2001:0db8::0001, 2001:db8::1", "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
			"2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1", "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
			"2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1", "2001:DB8::ABCD, 2001:db8::abcd", "::, ::", "::1, ::1",
			"1::, 1::", "0:0:1::, 0:0:1::", "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::", "::ffff:1.2.3.4, 1.2.3.4",
			"64:ff9b::1.2.3.4, 64:ff9b::102:304" })
	void writesAsRfc5952Says(String written, String canonical) {
		assertThat(IpAddress.parse(written).toText(128)).isEqualTo(canonical);
	}

	@Test
	void readsWhatItWritesAndTheJdkReadsTheSame() throws UnknownHostException {
		Random random = new Random(5952);
		for (int i = 0; i < 20_000; i++) {
			byte[] bytes = randomBytes(random);
			InetAddress address = InetAddress.getByAddress(bytes);
			IpAddress read = IpAddress.parse(address.getHostAddress());
			assertThat(read.literal()).isEqualTo(address);
			String canonical = read.toText(128);
			assertThat(IpAddress.parse(canonical)).isEqualTo(read);
			assertThat(InetAddress.getByName(canonical)).isEqualTo(address);
			assertThat(canonical).doesNotContain(":::");
		}
	}

	@Test
	void cutsAnyAddressToAnyPrefix() {
		Random random = new Random(64);
		for (int i = 0; i < 20_000; i++) {
			int prefix = 1 + random.nextInt(127);
			String bits = "1" + IntStream.range(1, 128)
				.mapToObj((index) -> random.nextBoolean() ? "1" : "0")
				.collect(Collectors.joining());
			String cut = bits.substring(0, prefix) + "0".repeat(128 - prefix);
			assertThat(IpAddress.parse(ipv6(bits)).toText(prefix))
				.isEqualTo(IpAddress.parse(ipv6(cut)).toText(128) + "/" + prefix);
		}
	}

	@Test
	void refusesWhatRandomCharactersMakeUnlessTheJdkReadsIt() throws UnknownHostException {
		Random random = new Random(4291);
		String characters = "0123456789abcdef:::...";
		for (int i = 0; i < 50_000; i++) {
			String text = random.ints(2 + random.nextInt(20), 0, characters.length())
				.mapToObj((index) -> characters.substring(index, index + 1))
				.collect(Collectors.joining());
			IpAddress address = IpAddress.parse(text);
			if (address != null && !text.matches("[0-9.]+:\\d+")) {
				assertThat(InetAddress.getByName(text)).isEqualTo(address.literal());
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", ".", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::",
			"g::", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4:", "1.2.3.4:123456", "1.2.3.4%eth0",
			"[1.2.3.4]", "[::1", "::1]", "[::1]x", "[]", "::1.2.3", "1.2.3.4 ", "localhost", "a.b.c.d", "cafe", "12",
			"0x7f.0.0.1", "\u0661.2.3.4", "::\u0661", "[::1]:\u0661" })
	void refusesWhatIsNoAddress(String text) {
		assertThat(IpAddress.parse(text)).isNull();
	}

	private static String ipv6(String bits) {
		return IntStream.range(0, 8)
			.mapToObj((group) -> Integer.toHexString(Integer.parseInt(bits.substring(16 * group, 16 * group + 16), 2)))
			.collect(Collectors.joining(":"));
	}

	private static byte[] randomBytes(Random random) {
		byte[] bytes = new byte[(random.nextInt(4) == 0) ? 4 : 16];
		random.nextBytes(bytes);
		for (int i = 0; i < bytes.length; i += 2) {
			if (random.nextBoolean()) {
				bytes[i] = 0;
				bytes[i + 1] = 0;
			}
		}
		return bytes;
	}

}
