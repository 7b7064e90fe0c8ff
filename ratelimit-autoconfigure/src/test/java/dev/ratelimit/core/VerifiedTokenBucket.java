package dev.ratelimit.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Token bucket on a manual clock whose every answer is compared with an
 * {@link ExactTokenBucket}, and whose grants are held against the bound on every window.
 */
final class VerifiedTokenBucket {

	/**
	 * Waits up to this long are granted.
	 */
	static final Duration CENTURY = Duration.ofDays(36_500);

	private final RateLimit limit;

	private final ManualTimeSource clock;

	private final long origin;

	private final TokenBucket bucket;

	private final ExactTokenBucket exact;

	private final String title;

	private final List<String> steps = new ArrayList<>();

	private final List<Held> waiting = new ArrayList<>();

	private final GrantLog grants;

	private long lastStep;

	/**
	 * Gives way to the arithmetic of tokens that were given back late: one part each.
	 */
	private int parts = 1;

	private boolean lateCancellations;

	VerifiedTokenBucket(RateLimit limit, ManualTimeSource clock, String title) {
		this.limit = limit;
		this.clock = clock;
		this.origin = clock.nanos();
		this.bucket = TokenBucket.create(limit, clock);
		this.exact = new ExactTokenBucket(limit);
		this.grants = new GrantLog(this.exact);
		this.title = title;
	}

	RateLimit limit() {
		return this.limit;
	}

	ExactTokenBucket exact() {
		return this.exact;
	}

	long now() {
		return this.clock.nanos() - this.origin;
	}

	long availableTokens() {
		return this.bucket.availableTokens();
	}

	List<Held> waiting() {
		return this.waiting;
	}

	void advance(long nanos) {
		step("advance " + nanos + "ns");
		this.clock.advanceNanos(nanos);
		verify();
	}

	boolean tryAcquire(long tokens) {
		step("tryAcquire " + tokens);
		boolean granted = this.bucket.tryAcquire(tokens);
		this.steps.add(granted ? "  granted" : "  refused");
		if (granted) {
			verifyWait(0, tokens);
			this.exact.take(tokens, now());
			granted(now(), tokens);
		}
		else {
			check(!this.exact.mustPassAfter(0, tokens, now(), this.parts), "%d tokens are there", tokens);
		}
		verify();
		return granted;
	}

	Held reserve(long tokens, Duration maxWait) {
		step("reserve " + tokens + " within " + maxWait);
		Reservation reservation = this.bucket.reserve(tokens, maxWait);
		Duration wait = reservation.waitTime();
		this.steps.add((reservation.granted() ? "  granted in " : "  refused for ") + wait);
		check(!wait.isNegative(), "negative wait");
		Held held = new Held(reservation, tokens, now());
		if (wait.compareTo(CENTURY) <= 0) {
			verifyWait(wait.toNanos(), tokens);
		}
		if (reservation.granted()) {
			check(wait.isZero() || wait.compareTo(maxWait) <= 0, "longer than was asked for");
			held.call = this.exact.take(tokens, now());
			if (wait.isZero()) {
				held.pass(now());
			}
			else {
				this.waiting.add(held);
			}
		}
		else {
			check(!wait.isZero(), "refused for no time");
			check(wait.compareTo(maxWait) > 0, "refused although it fits");
			long longest = maxWait.compareTo(CENTURY) < 0 ? maxWait.toNanos() : CENTURY.toNanos();
			check(!this.exact.mustPassAfter(longest, tokens, now(), this.parts), "%d tokens are there in time", tokens);
		}
		verify();
		return held;
	}

	/**
	 * Returns whether a reservation can be cancelled as if it had never come.
	 */
	boolean wouldLeaveNoTrace(Held held) {
		return this.waiting.contains(held)
				|| (held.grant != null && held.answeredAt == now() && this.waiting.isEmpty());
	}

	/**
	 * Cancels a reservation, and expects that no trace is left where it still waited or
	 * is given back at the instant at which it was granted.
	 */
	void cancel(Held held) {
		step("cancel " + held.tokens + " of " + held.answeredAt + "ns");
		boolean traceless = wouldLeaveNoTrace(held);
		this.waiting.remove(held);
		held.reservation.cancel();
		if (held.call != null && !held.cancelled) {
			held.cancelled = true;
			if (traceless) {
				this.exact.forget(held.call);
			}
			else {
				this.lateCancellations = true;
				this.parts++;
				if (this.waiting.isEmpty()) {
					this.exact.giveBack(held.call, now());
				}
			}
			if (held.grant != null) {
				this.grants.remove(held.grant);
			}
		}
		verify();
	}

	private void verifyWait(long wait, long tokens) {
		check(this.lateCancellations || this.exact.mayPassAfter(wait, tokens, now()), "%d tokens after %dns: too early",
				tokens, wait);
		check(wait == 0 || !this.exact.mustPassAfter(wait - 1, tokens, now(), this.parts),
				"%d tokens after %dns: too late", tokens, wait);
	}

	private void verify() {
		passDue();
		long previous = Long.MIN_VALUE;
		for (Held held : this.waiting) {
			long due = held.due();
			check(due >= previous, "%s is due before one that came earlier", held);
			check(this.lateCancellations || this.exact.mayPassAt(due, held.call), "%s is due too early", held);
			check(!this.exact.mustPassAt(due - 1, held.call, this.parts), "%s is due too late", held);
			previous = due;
		}
		long available = this.bucket.availableTokens();
		check(available >= this.exact.fewestAvailable(now(), this.parts), "%d available: too few", available);
		check(this.lateCancellations || available <= this.exact.mostAvailable(now()), "%d available: too many",
				available);
		check(available >= 0 && available <= this.limit.capacity(), "%d available: out of range", available);
		if (this.waiting.isEmpty() && this.exact.clearWhenFull(now(), this.parts)) {
			this.lateCancellations = false;
			this.parts = 1;
		}
		this.lastStep = now();
	}

	private void passDue() {
		List<Held> due = this.waiting.stream().filter((held) -> held.due() <= now()).toList();
		this.waiting.removeAll(due);
		for (Held held : due) {
			held.pass(Math.max(held.due(), this.lastStep));
		}
	}

	private GrantLog.Grant granted(long instant, long tokens) {
		try {
			return this.grants.add(instant, tokens);
		}
		catch (AssertionError ex) {
			throw failure(ex.getMessage());
		}
	}

	private void step(String description) {
		this.steps.add(now() + "ns: " + description);
	}

	private void check(boolean condition, String problem, Object... arguments) {
		if (!condition) {
			throw failure(problem.formatted(arguments));
		}
	}

	private AssertionError failure(String problem) {
		return new AssertionError("%s: %s at %dns, %s; clock started at %d%n%s".formatted(this.title, problem, now(),
				this.limit, this.origin, String.join(System.lineSeparator(), this.steps)));
	}

	/**
	 * An answer that can be cancelled.
	 */
	final class Held {

		private final Reservation reservation;

		private final long tokens;

		private final long answeredAt;

		private ExactTokenBucket.Call call;

		private GrantLog.Grant grant;

		private boolean cancelled;

		private Held(Reservation reservation, long tokens, long answeredAt) {
			this.reservation = reservation;
			this.tokens = tokens;
			this.answeredAt = answeredAt;
		}

		Reservation reservation() {
			return this.reservation;
		}

		long due() {
			return this.answeredAt + this.reservation.waitTime().toNanos();
		}

		private void pass(long instant) {
			this.grant = granted(instant, this.tokens);
		}

		@Override
		public String toString() {
			return this.tokens + " tokens of " + this.answeredAt + "ns (due at " + due() + "ns)";
		}

	}

}
