package dev.ratelimit.core;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.core.TokenBucketStore.Buckets;
import org.junit.jupiter.api.Test;

/**
 * Random histories in a store that counts microseconds, against an
 * {@link ExactTokenBucket} whose unit of time is the microsecond.
 * <p>
 * They print the seed of the run that failed; {@code -Dratelimit.test.seed} begins with
 * it.
 */
public abstract class StoreExactnessTests {

	private static final long SEED = Long.getLong("ratelimit.test.seed", System.nanoTime());

	private static final int HISTORIES = Integer.getInteger("ratelimit.test.store-histories", 150);

	private static final int STEPS = 60;

	private static final long MICRO = 1_000;

	private static final long ORIGIN_MICROS = 1_700_000_000_000_000L;

	/**
	 * Returns a store that counts by a clock.
	 */
	protected abstract TokenBucketStore store(ManualTimeSource clock);

	@Test
	void followsTheExactModelInRandomHistories() {
		for (int i = 0; i < HISTORIES; i++) {
			new History(SEED + i, false).run();
		}
	}

	@Test
	void neverGrantsATokenTooManyWhenCallsAreCancelledInAnyOrder() {
		for (int i = 0; i < HISTORIES; i++) {
			new History(SEED + i, true).run();
		}
	}

	/**
	 * Random calls at random instants, most of them near the edge between passing and
	 * not.
	 */
	private final class History {

		private final long seed;

		private final SplittableRandom random;

		private final boolean cancels;

		private final ManualTimeSource clock = new ManualTimeSource(ORIGIN_MICROS * MICRO);

		private final TokenBucketStore store = store(this.clock);

		private final RateLimit limit;

		private final ExactTokenBucket exact;

		private final GrantLog grants;

		private final Buckets buckets;

		private final List<Held> held = new ArrayList<>();

		private final List<String> steps = new ArrayList<>();

		private long now;

		History(long seed, boolean cancels) {
			this.seed = seed;
			this.random = new SplittableRandom(seed);
			this.cancels = cancels;
			this.limit = supportedLimit();
			this.exact = new ExactTokenBucket(
					RateLimit.of(this.limit.rate(), this.limit.per().dividedBy(MICRO), this.limit.capacity()));
			this.grants = new GrantLog(this.exact);
			this.buckets = this.store.open(RateLimiterSettings.of("limit", this.limit));
		}

		private RateLimit supportedLimit() {
			while (true) {
				RateLimit limit = TestLimits.random(this.random);
				try {
					if (limit.per().toNanos() % MICRO == 0) {
						this.store.check(limit);
						RateLimit.of(limit.rate(), limit.per().dividedBy(MICRO), limit.capacity());
						return limit;
					}
				}
				catch (InvalidRateLimitException ex) {
					continue;
				}
			}
		}

		void run() {
			long edge = 0;
			for (int i = 0; i < STEPS; i++) {
				advance(time(edge));
				long tokens = TestLimits.upTo(this.limit.capacity(), this.random);
				switch (this.random.nextInt(this.cancels ? 4 : 3)) {
					case 0 -> tryAcquire(tokens);
					case 1 -> edge = reserve(tokens, 0);
					case 2 -> edge = reserve(tokens, this.random.nextLong(2 * edge + 2));
					default -> cancel();
				}
				if (!this.cancels) {
					verifyAvailable();
				}
			}
		}

		private long time(long edge) {
			return switch (this.random.nextInt(8)) {
				case 0 -> 0;
				case 1 -> this.random.nextLong(4);
				case 2 -> this.random.nextLong(1L << this.random.nextInt(1, 45));
				case 3 -> Math.max(0, edge - 1);
				case 4 -> edge;
				default -> this.random.nextLong(edge + 1);
			} % TimeUnit.DAYS.toMicros(365);
		}

		private void advance(long micros) {
			this.steps.add("advance " + micros);
			this.clock.advanceNanos(micros * MICRO);
			this.now += micros;
			this.held.stream()
				.filter((call) -> call.grant == null && !call.cancelled && call.due <= this.now)
				.sorted((one, other) -> Long.compare(one.due, other.due))
				.forEach((call) -> call.grant = granted(call.due, call.tokens));
		}

		private void tryAcquire(long tokens) {
			boolean granted = this.buckets.tryAcquire(null, tokens);
			this.steps.add("tryAcquire " + tokens + ": " + granted);
			verify(granted, 0, 0, tokens);
			if (granted) {
				this.exact.take(tokens, this.now);
				granted(this.now, tokens);
			}
		}

		private long reserve(long tokens, long maxWait) {
			Reservation reservation = this.buckets.reserve(null, tokens, maxWait * MICRO);
			long wait = reservation.waitTime().toNanos() / MICRO;
			this.steps.add("reserve " + tokens + " within " + maxWait + ": "
					+ (reservation.granted() ? "granted in " : "refused for ") + wait);
			check(!reservation.granted() || wait <= maxWait, "longer than was asked for");
			check(reservation.granted() || wait > maxWait, "refused although it fits");
			verify(reservation.granted(), wait, maxWait, tokens);
			if (reservation.granted()) {
				this.exact.take(tokens, this.now);
				Held call = new Held(reservation, tokens, this.now + wait);
				this.held.add(call);
				if (wait == 0) {
					call.grant = granted(this.now, tokens);
				}
			}
			return Math.min(wait, TimeUnit.DAYS.toMicros(365));
		}

		private void cancel() {
			if (!this.held.isEmpty()) {
				int recent = Math.min(this.held.size(), 5);
				Held call = this.held.remove(this.held.size() - 1 - this.random.nextInt(recent));
				this.steps.add("cancel " + call.tokens + " due at " + call.due);
				call.cancelled = true;
				call.reservation.cancel();
				if (call.grant != null) {
					this.grants.remove(call.grant);
				}
			}
		}

		private void verify(boolean granted, long wait, long maxWait, long tokens) {
			if (this.cancels) {
				return;
			}
			boolean told = (granted || wait > 0) && wait < TimeUnit.DAYS.toMicros(36_500);
			check(!told || this.exact.mayPassAfter(wait, tokens, this.now), "%d tokens after %d: too early", tokens,
					wait);
			check(wait == 0 || !this.exact.mustPassAfter(wait - 1, tokens, this.now, 2), "%d tokens after %d: too late",
					tokens, wait);
			check(granted || !this.exact.mustPassAfter(maxWait, tokens, this.now, 2), "%d tokens are there", tokens);
		}

		private void verifyAvailable() {
			long available = this.buckets.availableTokens(null);
			check(available >= this.exact.fewestAvailable(this.now, 2), "%d available: too few", available);
			check(available <= this.exact.mostAvailable(this.now), "%d available: too many", available);
		}

		private GrantLog.Grant granted(long instant, long tokens) {
			try {
				return this.grants.add(instant, tokens);
			}
			catch (AssertionError ex) {
				throw failure(ex.getMessage());
			}
		}

		private void check(boolean condition, String problem, Object... arguments) {
			if (!condition) {
				throw failure(problem.formatted(arguments));
			}
		}

		private AssertionError failure(String problem) {
			return new AssertionError("seed %d: %s at %d, %s%n%s".formatted(this.seed, problem, this.now, this.limit,
					String.join(System.lineSeparator(), this.steps)));
		}

	}

	private static final class Held {

		private final Reservation reservation;

		private final long tokens;

		private final long due;

		private GrantLog.Grant grant;

		private boolean cancelled;

		Held(Reservation reservation, long tokens, long due) {
			this.reservation = reservation;
			this.tokens = tokens;
			this.due = due;
		}

	}

}
