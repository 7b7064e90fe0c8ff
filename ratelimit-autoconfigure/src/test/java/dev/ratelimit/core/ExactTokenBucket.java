package dev.ratelimit.core;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Token bucket in rational arithmetic without any rounding, against which the real one is
 * judged.
 * <p>
 * Everything is a whole number of units, chosen so that a token, a part (the grain of the
 * real bucket's arithmetic) and what a nanosecond adds are whole. Instants are
 * nanoseconds since the bucket's creation.
 */
final class ExactTokenBucket {

	private static final BigInteger LARGEST_BURST = BigInteger.ONE.shiftLeft(62);

	private final BigInteger token;

	private final BigInteger nano;

	private final BigInteger part;

	private final BigInteger burst;

	private final List<Call> calls = new ArrayList<>();

	private BigInteger fullAtStart = BigInteger.ZERO;

	private BigInteger fullAt = BigInteger.ZERO;

	ExactTokenBucket(RateLimit limit) {
		BigDecimal rate = BigDecimal.valueOf(limit.rate());
		BigInteger added = rate.scaleByPowerOfTen(Math.max(0, rate.scale())).toBigIntegerExact();
		BigInteger period = BigInteger.TEN.pow(Math.max(0, rate.scale()))
			.multiply(BigInteger.valueOf(limit.per().toNanos()));
		BigInteger common = added.gcd(period);
		int shift = partsOfToken(added, period, BigInteger.valueOf(limit.capacity()));
		this.token = period.divide(common).shiftLeft(shift);
		this.nano = added.divide(common).shiftLeft(shift);
		this.part = period.divide(common);
		this.burst = this.token.multiply(BigInteger.valueOf(limit.capacity()));
	}

	private static int partsOfToken(BigInteger added, BigInteger period, BigInteger capacity) {
		int shift = 0;
		while (added.shiftLeft(shift).compareTo(period) < 0
				&& capacity.shiftLeft(shift + 1).compareTo(LARGEST_BURST) <= 0) {
			shift++;
		}
		return shift;
	}

	/**
	 * Returns whether a call that passes after a wait does so no more than a nanosecond
	 * early.
	 */
	boolean mayPassAfter(long wait, long tokens, long now) {
		return mayPass(shortage(tokens, now), wait);
	}

	/**
	 * Returns whether a call that has not passed after a wait is too late by more than
	 * some parts.
	 */
	boolean mustPassAfter(long wait, long tokens, long now, int parts) {
		return mustPass(shortage(tokens, now), wait, parts);
	}

	/**
	 * Returns whether a call that waits may be told that it passes at an instant.
	 */
	boolean mayPassAt(long instant, Call call) {
		return mayPass(call.usableAt, instant);
	}

	/**
	 * Returns whether a call that waits and has not passed at an instant is too late by
	 * more than some parts.
	 */
	boolean mustPassAt(long instant, Call call, int parts) {
		return mustPass(call.usableAt, instant, parts);
	}

	private boolean mayPass(BigInteger missing, long nanos) {
		return missing.compareTo(generated(nanos).add(this.nano)) <= 0;
	}

	private boolean mustPass(BigInteger missing, long nanos, int parts) {
		return missing.add(this.part.multiply(BigInteger.valueOf(parts))).compareTo(generated(nanos)) <= 0;
	}

	/**
	 * Takes tokens now or as soon as they are there.
	 */
	Call take(long tokens, long now) {
		Call call = new Call(this.token.multiply(BigInteger.valueOf(tokens)), now);
		this.calls.add(call);
		this.fullAt = append(this.fullAt, call);
		return call;
	}

	/**
	 * Takes a call out of history, as if it had never come.
	 */
	void forget(Call call) {
		if (this.calls.remove(call)) {
			replay();
		}
	}

	/**
	 * Gives the tokens of a call that has passed back, except for what the refill since
	 * then has replaced.
	 */
	void giveBack(Call call, long now) {
		if (this.calls.contains(call)) {
			BigInteger unreplaced = call.fullAt.subtract(generated(now)).max(BigInteger.ZERO);
			call.cost = call.cost.subtract(call.cost.min(unreplaced));
			replay();
		}
	}

	/**
	 * Returns whether the bucket is full beyond any doubt of a few parts, and forgets
	 * what came before.
	 */
	boolean clearWhenFull(long now, int parts) {
		BigInteger doubt = this.part.multiply(BigInteger.valueOf(parts)).add(this.nano);
		boolean full = generated(now).compareTo(this.fullAt.add(doubt)) >= 0;
		if (full) {
			this.calls.clear();
			this.fullAtStart = this.fullAt;
		}
		return full;
	}

	/**
	 * Returns the fewest tokens that may be shown as available.
	 */
	long fewestAvailable(long now, int parts) {
		return tokens(level(now).subtract(this.part.multiply(BigInteger.valueOf(parts))));
	}

	/**
	 * Returns the most tokens that may be shown as available.
	 */
	long mostAvailable(long now) {
		return tokens(level(now).add(this.nano));
	}

	/**
	 * Returns whether so many tokens may be granted in a window: the capacity, and what
	 * the window and one nanosecond add.
	 */
	boolean mayGrantWithin(long window, long tokens) {
		BigInteger granted = this.token.multiply(BigInteger.valueOf(tokens));
		return granted.compareTo(this.burst.add(generated(window)).add(this.nano)) <= 0;
	}

	/**
	 * Returns the most tokens that a full bucket can grant within a time, rounded down.
	 */
	BigInteger mostGranted(long nanos) {
		return this.burst.add(generated(nanos)).divide(this.token);
	}

	/**
	 * Returns how long an empty bucket takes to hold so many tokens, rounded up.
	 */
	BigInteger refillNanos(long tokens) {
		return ceilingOfNanos(this.token.multiply(BigInteger.valueOf(tokens)));
	}

	/**
	 * Returns how long a part takes, rounded up.
	 */
	long partNanos() {
		return ceilingOfNanos(this.part).longValueExact();
	}

	private BigInteger shortage(long tokens, long now) {
		BigInteger cost = this.token.multiply(BigInteger.valueOf(tokens));
		return this.fullAt.max(generated(now)).add(cost).subtract(generated(now)).subtract(this.burst);
	}

	private BigInteger level(long now) {
		return this.burst.subtract(this.fullAt.subtract(generated(now)).max(BigInteger.ZERO));
	}

	private long tokens(BigInteger units) {
		return units.max(BigInteger.ZERO).min(this.burst).divide(this.token).longValueExact();
	}

	private BigInteger generated(long nanos) {
		return this.nano.multiply(BigInteger.valueOf(nanos));
	}

	private BigInteger ceilingOfNanos(BigInteger units) {
		return units.add(this.nano).subtract(BigInteger.ONE).divide(this.nano);
	}

	private void replay() {
		this.fullAt = this.fullAtStart;
		for (Call call : this.calls) {
			this.fullAt = append(this.fullAt, call);
		}
	}

	private BigInteger append(BigInteger before, Call call) {
		call.fullAt = before.max(generated(call.arrival)).add(call.cost);
		call.usableAt = call.fullAt.subtract(this.burst);
		return call.fullAt;
	}

	/**
	 * A call that took tokens.
	 */
	static final class Call {

		private final long arrival;

		private BigInteger cost;

		private BigInteger fullAt = BigInteger.ZERO;

		private BigInteger usableAt = BigInteger.ZERO;

		private Call(BigInteger cost, long arrival) {
			this.cost = cost;
			this.arrival = arrival;
		}

	}

}
