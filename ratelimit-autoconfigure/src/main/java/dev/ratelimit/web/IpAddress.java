package dev.ratelimit.web;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * An address that was written as digits. An IPv6 address that stands for an IPv4 address
 * is that IPv4 address.
 *
 * @param literal the address, without a zone
 */
record IpAddress(InetAddress literal) {

	private static final int MAX_LENGTH = 128;

	private static final String OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

	private static final String PORT = "(?::(?:\\d{1,5}|_[\\w.-]+))?";

	private static final String IPV6 = "[0-9a-fA-F.]*:[0-9a-fA-F:.]+";

	private static final Pattern WRITTEN = Pattern.compile("((?:" + OCTET + "\\.){3}" + OCTET + ")" + PORT + "|\\[("
			+ IPV6 + ")(?:%[^\\]]*)?\\]" + PORT + "|(" + IPV6 + ")(?:%.*)?");

	private static final int GROUPS = 8;

	/**
	 * Reads an address, in brackets or not, and drops its port and zone. Asks no name
	 * server.
	 * @return the address, or {@code null} if this is none
	 */
	static @Nullable IpAddress parse(String text) {
		Matcher matcher = WRITTEN.matcher(text);
		if (text.length() > MAX_LENGTH || !matcher.matches()) {
			return null;
		}
		for (int group = 1; group <= matcher.groupCount(); group++) {
			if (matcher.group(group) != null) {
				return ofLiteral(matcher.group(group));
			}
		}
		return null;
	}

	/**
	 * A text of digits and dots or with a colon is never looked up.
	 */
	private static @Nullable IpAddress ofLiteral(String digits) {
		try {
			return new IpAddress(InetAddress.getByName(digits));
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	boolean isIpv4() {
		return this.literal instanceof Inet4Address;
	}

	byte[] bytes() {
		return this.literal.getAddress();
	}

	/**
	 * Returns the address as text, as RFC 5952 has it.
	 * @param ipv6Prefix how many bits of an IPv6 address count
	 */
	String toText(int ipv6Prefix) {
		if (isIpv4()) {
			return this.literal.getHostAddress();
		}
		int[] groups = groups(ipv6Prefix);
		String text = compress(groups);
		return (ipv6Prefix < Byte.SIZE * bytes().length) ? text + "/" + ipv6Prefix : text;
	}

	private int[] groups(int prefix) {
		byte[] bytes = bytes();
		int[] groups = new int[GROUPS];
		for (int i = 0; i < GROUPS; i++) {
			int kept = Math.max(0, Math.min(Character.SIZE, prefix - i * Character.SIZE));
			int group = Byte.toUnsignedInt(bytes[2 * i]) << Byte.SIZE | Byte.toUnsignedInt(bytes[2 * i + 1]);
			groups[i] = group & (0xFFFF_0000 >>> kept);
		}
		return groups;
	}

	private static String compress(int[] groups) {
		int start = 0;
		int length = 1;
		for (int i = 0; i < GROUPS; i++) {
			int zeros = zerosFrom(groups, i);
			if (zeros > length) {
				start = i;
				length = zeros;
			}
		}
		if (length == 1) {
			return hex(groups, 0, GROUPS);
		}
		return hex(groups, 0, start) + "::" + hex(groups, start + length, GROUPS);
	}

	private static int zerosFrom(int[] groups, int start) {
		int end = start;
		while (end < GROUPS && groups[end] == 0) {
			end++;
		}
		return end - start;
	}

	private static String hex(int[] groups, int from, int to) {
		return String.join(":", Arrays.stream(groups, from, to).mapToObj(Integer::toHexString).toArray(String[]::new));
	}

}
