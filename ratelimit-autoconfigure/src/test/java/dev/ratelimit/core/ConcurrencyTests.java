package dev.ratelimit.core;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of one bucket in the hands of several threads. Which call wins is left open, the
 * sums are not.
 */
@Timeout(60)
class ConcurrencyTests {

	private static final int THREADS = 4;

	private static final long SEED = Long.getLong("ratelimit.test.seed", System.nanoTime());

	private static final Duration LONG = Duration.ofDays(365);

	private final ManualTimeSource clock = new ManualTimeSource();

	private final Callers callers = new Callers();

	@AfterEach
	void endThreads() throws InterruptedException {
		this.callers.endAll();
	}

	@Test
	void grantExactlyTheCapacityWhileTheClockStandsStill() throws Exception {
		TokenBucket bucket = bucket(10, 100_000);
		List<Long> granted = together((random) -> {
			long count = 0;
			for (int i = 0; i < 50_000; i++) {
				count += bucket.tryAcquire() ? 1 : 0;
			}
			return count;
		});
		assertThat(sum(granted)).isEqualTo(100_000);
	}

	@Test
	void grantExactlyTheCapacityToReservations() throws Exception {
		TokenBucket bucket = bucket(10, 100_000);
		List<Long> granted = together((random) -> {
			long count = 0;
			for (int i = 0; i < 50_000; i++) {
				count += bucket.reserve(1, Duration.ZERO).granted() ? 1 : 0;
			}
			return count;
		});
		assertThat(sum(granted)).isEqualTo(100_000);
	}

	@Test
	void grantExactlyTheCapacityToCallsOfMixedCost() throws Exception {
		TokenBucket bucket = bucket(10, 100_003);
		List<Long> granted = together((random) -> {
			long count = 0;
			for (int i = 0; i < 50_000; i++) {
				long tokens = 1 + random.nextLong(7);
				count += bucket.tryAcquire(tokens) ? tokens : 0;
			}
			return count;
		});
		long left = bucket.availableTokens();
		assertThat(sum(granted) + left).isEqualTo(100_003);
	}

	@Test
	void loseNoTokenWhenGrantsAreGivenBackWhileTheClockStandsStill() throws Exception {
		TokenBucket bucket = bucket(10, 100);
		AtomicLong held = new AtomicLong();
		List<Long> kept = together((random) -> {
			long count = 0;
			for (int i = 0; i < 20_000; i++) {
				long tokens = 1 + random.nextLong(7);
				Reservation reservation = bucket.reserve(tokens, Duration.ZERO);
				if (reservation.granted()) {
					assertThat(held.addAndGet(tokens)).isLessThanOrEqualTo(100);
					if (random.nextInt(1_000) == 0) {
						count += tokens;
					}
					else {
						held.addAndGet(-tokens);
						reservation.cancel();
					}
				}
			}
			return count;
		});
		assertThat(sum(kept) + bucket.availableTokens()).isEqualTo(100);
	}

	@Test
	void loseNoTokenWhenSomeTakeWhileOthersGiveBack() throws Exception {
		TokenBucket bucket = bucket(10, 1_000_000);
		List<Long> kept = together((random) -> {
			long count = 0;
			for (int i = 0; i < 60_000; i++) {
				Reservation reservation = bucket.reserve(1, Duration.ZERO);
				count += bucket.tryAcquire() ? 1 : 0;
				reservation.cancel();
				count += bucket.tryAcquire() ? 1 : 0;
			}
			return count;
		});
		assertThat(sum(kept) + bucket.availableTokens()).isEqualTo(1_000_000);
	}

	@Test
	void giveTheTokensOfOneReservationBackOnce() throws Exception {
		for (int round = 0; round < 500; round++) {
			TokenBucket bucket = bucket(10, 10);
			bucket.tryAcquire(7);
			Reservation reservation = bucket.reserve(2, Duration.ZERO);
			CyclicBarrier start = new CyclicBarrier(2);
			Callable<Void> cancel = () -> {
				start.await(60, TimeUnit.SECONDS);
				reservation.cancel();
				return null;
			};
			Callers.Caller<Void> first = this.callers.start(cancel);
			Callers.Caller<Void> second = this.callers.start(cancel);
			first.result();
			second.result();
			assertThat(bucket.availableTokens()).isEqualTo(3);
		}
	}

	@Test
	void leaveNoGapBetweenWaitingCallsWhenOthersAreCancelled() throws Exception {
		TokenBucket bucket = bucket(10, 1);
		bucket.tryAcquire();
		Queue<Reservation> kept = new ConcurrentLinkedQueue<>();
		together((random) -> {
			List<Reservation> mine = new ArrayList<>();
			for (int i = 0; i < 300; i++) {
				mine.add(bucket.reserve(1, LONG));
				if (random.nextInt(3) > 0) {
					mine.remove(random.nextInt(mine.size())).cancel();
				}
			}
			kept.addAll(mine);
			return 0L;
		});
		assertThat(kept.stream().map((reservation) -> reservation.waitTime().toMillis()).sorted())
			.containsExactlyElementsOf(LongStream.rangeClosed(1, kept.size()).mapToObj((i) -> 100 * i).toList());
		assertThat(bucket.reserve(1, Duration.ZERO).waitTime()).isEqualTo(Duration.ofMillis(100L * (kept.size() + 1)));
	}

	@Test
	void leaveNoTraceWhenEveryWaitingCallIsCancelled() throws Exception {
		TokenBucket bucket = bucket(10, 10);
		bucket.tryAcquire(10);
		together((random) -> {
			List<Reservation> mine = new ArrayList<>();
			for (int i = 0; i < 500; i++) {
				mine.add(bucket.reserve(1 + random.nextInt(10), LONG));
				assertThat(bucket.tryAcquire()).isFalse();
				if (random.nextBoolean()) {
					mine.remove(random.nextInt(mine.size())).cancel();
				}
			}
			mine.forEach(Reservation::cancel);
			return 0L;
		});
		assertThat(bucket.reserve(1, Duration.ZERO).waitTime()).isEqualTo(Duration.ofMillis(100));
	}

	@Test
	void grantTheRateItselfWhileAnotherThreadMovesTheClock() throws Exception {
		RateLimit limit = RateLimit.of(7.77, Duration.ofSeconds(1), 20);
		TokenBucket bucket = TokenBucket.create(limit, this.clock);
		AtomicBoolean ended = new AtomicBoolean();
		List<Callers.Caller<Long>> takers = IntStream.range(0, THREADS).mapToObj((i) -> this.callers.start(() -> {
			long count = 0;
			while (!ended.get()) {
				count += bucket.tryAcquire() ? 1 : 0;
				Thread.yield();
			}
			return count;
		})).toList();
		SplittableRandom random = new SplittableRandom(SEED);
		for (int i = 0; i < 500; i++) {
			Callers.until(() -> bucket.availableTokens() == 0, "drained");
			this.clock.advanceNanos(random.nextLong(1_000_000_000));
		}
		Callers.until(() -> bucket.availableTokens() == 0, "drained");
		ended.set(true);
		long granted = sum(results(takers));
		BigInteger most = new ExactTokenBucket(limit).mostGranted(this.clock.nanos());
		assertThat(BigInteger.valueOf(granted)).as("seed %d", SEED)
			.isBetween(most.subtract(BigInteger.ONE), most.add(BigInteger.ONE));
	}

	@Test
	void keepTheBoundOnEveryWindowWhileAnotherThreadMovesTheClock() throws Exception {
		RateLimit limit = RateLimit.of(1_000, Duration.ofSeconds(1), 10);
		TokenBucket bucket = TokenBucket.create(limit, this.clock);
		AtomicBoolean ended = new AtomicBoolean();
		Queue<Sighting> sightings = new ConcurrentLinkedQueue<>();
		List<Callers.Caller<Long>> takers = IntStream.range(0, THREADS).mapToObj((thread) -> this.callers.start(() -> {
			SplittableRandom random = new SplittableRandom(SEED + thread);
			while (!ended.get()) {
				long tokens = 1 + random.nextLong(3);
				long before = this.clock.nanos();
				if (bucket.tryAcquire(tokens)) {
					sightings.add(new Sighting(before, this.clock.nanos(), tokens));
				}
				Thread.yield();
			}
			return 0L;
		})).toList();
		SplittableRandom random = new SplittableRandom(SEED - 1);
		while (sightings.size() < 600) {
			this.clock.advanceNanos(random.nextLong(100_000));
			Thread.yield();
		}
		ended.set(true);
		results(takers);
		ExactTokenBucket exact = new ExactTokenBucket(limit);
		List<Sighting> byEnd = sightings.stream().sorted(Comparator.comparingLong(Sighting::after)).toList();
		for (Sighting first : byEnd) {
			long tokens = 0;
			for (Sighting last : byEnd) {
				if (last.before() >= first.before()) {
					tokens += last.tokens();
					assertThat(exact.mayGrantWithin(last.after() - first.before(), tokens))
						.as("%d tokens from %s to %s, seed %d", tokens, first, last, SEED)
						.isTrue();
				}
			}
		}
	}

	@Test
	void followTheExactModelWhenWaitingCallsAreCancelledFromRoundToRound() throws Exception {
		new Rounds(RateLimit.of(7.77, Duration.ofSeconds(1), 20), false).run(100);
	}

	@Test
	void neverGetATokenTooManyWhenCallsAreCancelledInAnyOrder() throws Exception {
		new Rounds(RateLimit.of(7.77, Duration.ofSeconds(1), 20), true).run(100);
	}

	@Test
	void moveASharedClockThatAdvancesByItselfToTheInstantOfTheLastToken() throws Exception {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		RateLimit limit = RateLimit.of(3, Duration.ofSeconds(1), 7);
		TokenBucket bucket = TokenBucket.create(limit, advancing);
		together((random) -> {
			for (int i = 0; i < 2_000; i++) {
				bucket.acquire();
			}
			return 0L;
		});
		assertThat(BigInteger.valueOf(advancing.nanos()))
			.isEqualTo(new ExactTokenBucket(limit).refillNanos(2_000 * THREADS - 7));
	}

	@Test
	void allPassOrAreInterruptedAndNoneIsForgotten() throws Exception {
		int threads = 40;
		TokenBucket bucket = bucket(10, 1);
		bucket.tryAcquire();
		AtomicInteger interrupted = new AtomicInteger();
		AtomicInteger passed = new AtomicInteger();
		List<Callers.Caller<Void>> waiting = IntStream.range(0, threads)
			.mapToObj((i) -> this.callers.<Void>start(() -> {
				try {
					bucket.acquire();
					passed.incrementAndGet();
				}
				catch (InterruptedException ex) {
					interrupted.incrementAndGet();
				}
				return null;
			}))
			.toList();
		Callers.until(() -> this.clock.waiters() == threads, "parked");
		Callers.Caller<Void> interrupter = this.callers.start(() -> {
			for (int i = 0; i < threads; i += 3) {
				waiting.get(i).thread().interrupt();
				Thread.yield();
			}
			return null;
		});
		for (int i = 0; i < threads / 2; i++) {
			this.clock.advance(Duration.ofMillis(100));
			Thread.yield();
		}
		interrupter.result();
		Callers.until(() -> passed.get() + interrupted.get() >= threads / 2, "passed");
		this.clock.advance(Duration.ofSeconds(threads));
		for (Callers.Caller<Void> caller : waiting) {
			caller.result();
		}
		assertThat(passed.get() + interrupted.get()).isEqualTo(threads);
		assertThat(interrupted.get()).isLessThanOrEqualTo((threads + 2) / 3);
		assertThat(this.clock.waiters()).isZero();
		assertThat(bucket.tryAcquire()).isTrue();
		assertThat(bucket.reserve(1, Duration.ZERO).waitTime()).isEqualTo(Duration.ofMillis(100));
	}

	private TokenBucket bucket(double rate, long capacity) {
		return TokenBucket.create(RateLimit.of(rate, Duration.ofSeconds(1), capacity), this.clock);
	}

	private List<Long> together(Task task) throws Exception {
		CyclicBarrier start = new CyclicBarrier(THREADS);
		List<Callers.Caller<Long>> running = IntStream.range(0, THREADS).mapToObj((i) -> this.callers.start(() -> {
			start.await(60, TimeUnit.SECONDS);
			return task.run(new SplittableRandom(SEED + i));
		})).toList();
		return results(running);
	}

	private static List<Long> results(List<Callers.Caller<Long>> running) throws Exception {
		List<Long> results = new ArrayList<>();
		for (Callers.Caller<Long> caller : running) {
			results.add(caller.result());
		}
		return results;
	}

	private static long sum(Collection<Long> numbers) {
		return numbers.stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * What each thread does.
	 */
	@FunctionalInterface
	private interface Task {

		long run(SplittableRandom random) throws Exception;

	}

	/**
	 * A grant at some instant between two.
	 */
	private record Sighting(long before, long after, long tokens) {

	}

	/**
	 * Rounds in which all threads call at one instant, with the books checked and the
	 * clock moved in between.
	 */
	private final class Rounds {

		private final TokenBucket bucket;

		private final ExactTokenBucket exact;

		private final GrantLog grants;

		private final boolean lateCancellations;

		private final SplittableRandom random = new SplittableRandom(SEED - 1);

		private final Queue<Ticket> fresh = new ConcurrentLinkedQueue<>();

		private final Queue<Ticket> cancelled = new ConcurrentLinkedQueue<>();

		private final List<Ticket> waiting = new ArrayList<>();

		private int parts = 1;

		private long lastRound;

		private Rounds(RateLimit limit, boolean lateCancellations) {
			this.bucket = TokenBucket.create(limit, ConcurrencyTests.this.clock);
			this.exact = new ExactTokenBucket(limit);
			this.grants = new GrantLog(this.exact);
			this.lateCancellations = lateCancellations;
		}

		private void run(int rounds) throws Exception {
			CyclicBarrier end = new CyclicBarrier(THREADS, this::endRound);
			together((threadRandom) -> {
				List<Ticket> mine = new ArrayList<>();
				for (int round = 0; round < rounds; round++) {
					call(mine, threadRandom);
					end.await(60, TimeUnit.SECONDS);
				}
				return 0L;
			});
		}

		private void call(List<Ticket> mine, SplittableRandom random) {
			for (int i = 0; i < 10; i++) {
				long now = ConcurrencyTests.this.clock.nanos();
				if (random.nextInt(3) > 0) {
					long tokens = 1 + random.nextLong(4);
					Duration maxWait = random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(random.nextInt(3_000));
					Reservation reservation = this.bucket.reserve(tokens, maxWait);
					if (reservation.granted()) {
						Ticket ticket = new Ticket(reservation, tokens, now);
						mine.add(ticket);
						this.fresh.add(ticket);
					}
				}
				else if (!mine.isEmpty()) {
					Ticket ticket = mine.get(random.nextInt(mine.size()));
					if (this.lateCancellations || ticket.due() > now) {
						mine.remove(ticket);
						ticket.reservation.cancel();
						this.cancelled.add(ticket);
					}
				}
			}
		}

		private void endRound() {
			ManualTimeSource clock = ConcurrencyTests.this.clock;
			for (Ticket ticket : this.fresh) {
				ticket.call = this.exact.take(ticket.tokens, ticket.arrival);
				this.waiting.add(ticket);
			}
			for (Ticket ticket : this.cancelled) {
				cancelled(ticket);
			}
			this.fresh.clear();
			this.cancelled.clear();
			passDue(clock.nanos());
			verifyNextCall(clock.nanos());
			this.lastRound = clock.nanos();
			clock.advanceNanos(this.random.nextLong(1_500_000_000));
			passDue(clock.nanos());
		}

		private void cancelled(Ticket ticket) {
			if (this.waiting.remove(ticket)) {
				if (!this.lateCancellations) {
					this.exact.forget(ticket.call);
				}
			}
			else {
				this.grants.remove(ticket.grant);
			}
			this.parts += this.lateCancellations ? 1 : 0;
		}

		private void passDue(long now) {
			List<Ticket> due = this.waiting.stream()
				.filter((ticket) -> ticket.due() <= now)
				.sorted(Comparator.comparingLong((ticket) -> Math.max(ticket.due(), this.lastRound)))
				.toList();
			this.waiting.removeAll(due);
			for (Ticket ticket : due) {
				ticket.grant = this.grants.add(Math.max(ticket.due(), this.lastRound), ticket.tokens);
			}
		}

		private void verifyNextCall(long now) {
			Reservation probe = this.bucket.reserve(1, Duration.ZERO);
			long wait = probe.waitTime().toNanos();
			probe.cancel();
			assertThat(wait > 0 && this.exact.mustPassAfter(wait - 1, 1, now, this.parts))
				.as("next call after %dns: too late, seed %d", wait, SEED)
				.isFalse();
			assertThat(this.lateCancellations || this.exact.mayPassAfter(wait, 1, now))
				.as("next call after %dns: too early, seed %d", wait, SEED)
				.isTrue();
		}

	}

	/**
	 * A reservation and what the books say of it.
	 */
	private static final class Ticket {

		private final Reservation reservation;

		private final long tokens;

		private final long arrival;

		private ExactTokenBucket.Call call;

		private GrantLog.Grant grant;

		private Ticket(Reservation reservation, long tokens, long arrival) {
			this.reservation = reservation;
			this.tokens = tokens;
			this.arrival = arrival;
		}

		long due() {
			return this.arrival + this.reservation.waitTime().toNanos();
		}

	}

}
