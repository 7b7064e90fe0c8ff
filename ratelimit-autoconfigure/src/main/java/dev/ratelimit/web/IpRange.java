package dev.ratelimit.web;

import java.math.BigInteger;

import org.jspecify.annotations.Nullable;

/**
 * A range of addresses.
 *
 * @param network an address of the range
 * @param prefix how many of its first bits all addresses of the range share
 */
record IpRange(IpAddress network, int prefix) {

	private static final int BITS_BEFORE_MAPPED_IPV4 = 96;

	/**
	 * Reads a range in CIDR notation, or a single address.
	 * @return the range, or {@code null} if this is none
	 */
	static @Nullable IpRange parse(String text) {
		int slash = text.indexOf('/');
		String written = (slash < 0) ? text : text.substring(0, slash);
		IpAddress network = isPlain(written) ? IpAddress.parse(written) : null;
		if (network == null) {
			return null;
		}
		int bits = Byte.SIZE * network.bytes().length;
		int prefix = (slash < 0) ? bits : prefix(text.substring(slash + 1));
		if (slash >= 0 && network.isIpv4() && written.indexOf(':') >= 0) {
			prefix -= BITS_BEFORE_MAPPED_IPV4;
		}
		return (prefix >= 0 && prefix <= bits) ? new IpRange(network, prefix) : null;
	}

	private static boolean isPlain(String address) {
		return !address.matches(".*[\\[\\]%].*|.*\\..*:.*");
	}

	private static int prefix(String digits) {
		return digits.matches("\\d{1,3}") ? Integer.parseInt(digits) : -1;
	}

	boolean contains(IpAddress address) {
		byte[] bytes = address.bytes();
		int ignored = Byte.SIZE * bytes.length - this.prefix;
		return address.isIpv4() == this.network.isIpv4() && new BigInteger(1, bytes).shiftRight(ignored)
			.equals(new BigInteger(1, this.network.bytes()).shiftRight(ignored));
	}

}
