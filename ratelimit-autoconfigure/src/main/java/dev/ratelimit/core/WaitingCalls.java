package dev.ratelimit.core;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for one limit now.
 */
final class WaitingCalls {

	private final AtomicInteger count = new AtomicInteger();

	private final Set<Admission> calls = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	int count() {
		return this.count.get();
	}

	/**
	 * Lets a call wait, if there is a place.
	 * @param most how many may wait; {@code null}: any number
	 * @return whether there is
	 */
	boolean enter(Admission call, @Nullable Integer most) {
		if (this.count.incrementAndGet() > ((most != null) ? most : Integer.MAX_VALUE)) {
			this.count.decrementAndGet();
			return false;
		}
		this.calls.add(call);
		if (this.closed) {
			call.release();
		}
		return true;
	}

	void leave(Admission call) {
		this.calls.remove(call);
		this.count.decrementAndGet();
	}

	/**
	 * Releases all calls, the last first so that none moves up, and lets none wait any
	 * more.
	 */
	void close() {
		this.closed = true;
		this.calls.stream().sorted(Comparator.comparingLong(Admission::dueAt).reversed()).forEach(Admission::release);
	}

}
