package dev.ratelimit.web;

import java.util.Iterator;
import java.util.Objects;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Where the hops of a field lead, followed from the right for as long as they are
 * trusted.
 *
 * @param end how it ends
 * @param address the farthest hop; {@code null} if it leads nowhere
 */
record Trail(End end, @Nullable IpAddress address) {

	private static final Trail NOWHERE = new Trail(End.NOWHERE, null);

	private static final Trail GARBAGE = new Trail(End.GARBAGE, null);

	/**
	 * Follows the elements of a field.
	 * @param elements from the right
	 * @param node finds what names the hop in an element
	 */
	static Trail follow(Iterator<String> elements, NodeReader node, Predicate<IpAddress> trusted) {
		Trail trail = NOWHERE;
		while (trail.end != End.CLIENT && elements.hasNext()) {
			String written = node.read(elements.next());
			IpAddress address = (written != null) ? IpAddress.parse(written) : null;
			if (address == null) {
				return (written == null && trail.end == End.NOWHERE) ? NOWHERE : GARBAGE;
			}
			trail = new Trail(trusted.test(address) ? End.TRUSTED : End.CLIENT, address);
		}
		return trail;
	}

	/**
	 * Returns where this and the trail of another field lead together: as far as the
	 * longer one, unless either ends in garbage or they contradict each other.
	 * @return the address, or {@code null} if they lead nowhere
	 */
	@Nullable IpAddress reconcile(Trail other) {
		int lead = this.end.compareTo(other.end);
		if (lead == 0 && !Objects.equals(this.address, other.address)) {
			return null;
		}
		return ((lead < 0) ? other : this).address;
	}

	/**
	 * How a trail ends, the farther the later.
	 */
	enum End {

		/**
		 * The field names no hop.
		 */
		NOWHERE,

		/**
		 * All hops are trusted.
		 */
		TRUSTED,

		/**
		 * A hop that is not trusted: the client.
		 */
		CLIENT,

		/**
		 * A hop that is no address.
		 */
		GARBAGE

	}

	/**
	 * Finds what names the hop in an element of a field.
	 */
	@FunctionalInterface
	interface NodeReader {

		/**
		 * Returns the node, or {@code null} if the element names none.
		 */
		@Nullable String read(String element);

	}

}
