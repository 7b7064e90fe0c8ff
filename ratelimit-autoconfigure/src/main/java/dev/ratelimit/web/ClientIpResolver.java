package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of the client of a request. That is the address of its connection,
 * unless a trusted proxy made it: then the right-most hop of {@code Forwarded} (RFC 7239)
 * or {@code X-Forwarded-For} that is no trusted proxy, or the left-most if all are.
 * <p>
 * A proxy writes one of the two fields and may pass on the other as the client sent it.
 * If both are there and lead to different clients, neither is believed, and the address
 * is that of the connection. Nor is a hop believed that stands to the left of one that is
 * no address. No name server is ever asked.
 */
public final class ClientIpResolver {

	private static final String PROPERTIES = "ratelimit.http.client-ip.";

	private static final int IPV6_BITS = 128;

	private final List<IpRange> trustedProxies;

	private final int ipv6Prefix;

	/**
	 * Creates a resolver.
	 * @param trustedProxies addresses, or ranges of them in CIDR notation, whose word is
	 * taken for whom they forward a request
	 * @param ipv6Prefix how many bits of an IPv6 address tell clients apart, from 1 to
	 * 128
	 * @throws RateLimitConfigurationException if one of them is out of range or is no
	 * address
	 */
	public ClientIpResolver(List<String> trustedProxies, int ipv6Prefix) {
		List<Fault> faults = new ArrayList<>();
		this.trustedProxies = parse(trustedProxies, faults);
		this.ipv6Prefix = ipv6Prefix;
		if (ipv6Prefix < 1 || ipv6Prefix > IPV6_BITS) {
			faults.add(new Fault("%sipv6-prefix must be from 1 to 128, but was %d".formatted(PROPERTIES, ipv6Prefix),
					"Correct the value, or remove the property for the default."));
		}
		if (!faults.isEmpty()) {
			throw new RateLimitConfigurationException(faults);
		}
	}

	private static List<IpRange> parse(List<String> written, List<Fault> faults) {
		List<IpRange> ranges = new ArrayList<>();
		for (int i = 0; i < written.size(); i++) {
			IpRange range = IpRange.parse(written.get(i).strip());
			if (range != null) {
				ranges.add(range);
			}
			else {
				faults.add(new Fault(
						"%strusted-proxies[%d] must be an address or a range of addresses, but was '%s'"
							.formatted(PROPERTIES, i, written.get(i)),
						"Write an address (\"192.0.2.1\", \"2001:db8::1\") or a range in CIDR notation "
								+ "(\"10.0.0.0/8\", \"2001:db8::/32\"); names are not looked up."));
			}
		}
		return List.copyOf(ranges);
	}

	/**
	 * Returns the address of the client.
	 * @param socketAddress the address that the connection comes from; {@code null} if
	 * there is none, as with a Unix domain socket
	 * @param forwarded the lines of the field {@code Forwarded}, in the order of the
	 * message
	 * @param xForwardedFor the lines of the field {@code X-Forwarded-For}, in the order
	 * of the message
	 * @return an IPv4 address, or an IPv6 address cut to its prefix
	 * ({@code 2001:db8::/64}), as RFC 5952 writes it; {@code null} if the connection has
	 * no address
	 */
	public @Nullable String resolve(@Nullable String socketAddress, List<String> forwarded,
			List<String> xForwardedFor) {
		IpAddress socket = (socketAddress != null) ? IpAddress.parse(socketAddress) : null;
		if (socket == null) {
			return null;
		}
		IpAddress client = isTrusted(socket) ? follow(forwarded, xForwardedFor) : null;
		return ((client != null) ? client : socket).toText(this.ipv6Prefix);
	}

	private @Nullable IpAddress follow(List<String> forwarded, List<String> xForwardedFor) {
		Trail trail = Trail.follow(new FieldList(forwarded, ','), ForwardedElement::forwardedFor, this::isTrusted);
		return trail.reconcile(Trail.follow(new FieldList(xForwardedFor, ','), (hop) -> hop, this::isTrusted));
	}

	private boolean isTrusted(IpAddress address) {
		return this.trustedProxies.stream().anyMatch((range) -> range.contains(address));
	}

}
