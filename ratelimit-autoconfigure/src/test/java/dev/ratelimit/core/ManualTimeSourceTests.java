package dev.ratelimit.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link ManualTimeSource}.
 */
@Timeout(60)
class ManualTimeSourceTests {

	private final ManualTimeSource clock = new ManualTimeSource();

	private final Callers callers = new Callers();

	@AfterEach
	void endThreads() throws InterruptedException {
		this.callers.endAll();
	}

	@Test
	void standsAtZeroUntilMoved() {
		assertThat(this.clock.nanos()).isZero();
		assertThat(this.clock.nanos()).isZero();
	}

	@Test
	void standsAtAnyInstantItIsMadeWith() {
		assertThat(new ManualTimeSource(-42).nanos()).isEqualTo(-42);
	}

	@Test
	void moves() {
		this.clock.advance(Duration.ofMillis(3));
		this.clock.advanceNanos(4);
		assertThat(this.clock.nanos()).isEqualTo(3_000_004);
	}

	@Test
	void movesByNothing() {
		this.clock.advance(Duration.ZERO);
		assertThat(this.clock.nanos()).isZero();
	}

	@Test
	void movesPastTheWrap() {
		ManualTimeSource wrapping = new ManualTimeSource(Long.MAX_VALUE);
		wrapping.advanceNanos(2);
		assertThat(wrapping.nanos()).isEqualTo(Long.MIN_VALUE + 1);
	}

	@Test
	void rejectsAMoveBack() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advance(Duration.ofNanos(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advanceNanos(-1));
		assertThat(this.clock.nanos()).isZero();
	}

	@Test
	void runsATaskWhenItsInstantComes() {
		AtomicInteger runs = new AtomicInteger();
		this.clock.runAt(10, runs::incrementAndGet);
		this.clock.advanceNanos(9);
		assertThat(runs).hasValue(0);
		this.clock.advanceNanos(1);
		assertThat(runs).hasValue(1);
		this.clock.advanceNanos(100);
		assertThat(runs).hasValue(1);
	}

	@Test
	void runsTasksInOrderEachAtItsOwnInstant() {
		List<Long> instants = new ArrayList<>();
		for (long instant : new long[] { 30, 10, 20 }) {
			this.clock.runAt(instant, () -> instants.add(this.clock.nanos()));
		}
		this.clock.advanceNanos(100);
		assertThat(instants).containsExactly(10L, 20L, 30L);
		assertThat(this.clock.nanos()).isEqualTo(100);
	}

	@Test
	void runsTasksOfOneInstantInTheOrderTheyCame() {
		List<Integer> order = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			int number = i;
			this.clock.runAt(5, () -> order.add(number));
		}
		this.clock.advanceNanos(5);
		assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
	}

	@Test
	void runsTasksAcrossTheWrapInOrder() {
		ManualTimeSource wrapping = new ManualTimeSource(Long.MAX_VALUE - 5);
		List<Long> instants = new ArrayList<>();
		wrapping.runAt(Long.MIN_VALUE + 5, () -> instants.add(wrapping.nanos()));
		wrapping.runAt(Long.MAX_VALUE, () -> instants.add(wrapping.nanos()));
		wrapping.advanceNanos(100);
		assertThat(instants).containsExactly(Long.MAX_VALUE, Long.MIN_VALUE + 5);
	}

	@Test
	void runsATaskOfThePastAtOnce() {
		AtomicInteger runs = new AtomicInteger();
		this.clock.advanceNanos(10);
		this.clock.runAt(10, runs::incrementAndGet);
		this.clock.runAt(3, runs::incrementAndGet);
		assertThat(runs).hasValue(2);
		assertThat(this.clock.waiters()).isZero();
	}

	@Test
	void runsATaskThatATaskHandsIn() {
		List<Long> instants = new ArrayList<>();
		this.clock.runAt(10, () -> this.clock.runAt(20, () -> instants.add(this.clock.nanos())));
		this.clock.advanceNanos(100);
		assertThat(instants).containsExactly(20L);
	}

	@Test
	void runsNoTaskThatWasWithdrawn() {
		AtomicInteger runs = new AtomicInteger();
		this.clock.runAt(10, runs::incrementAndGet).cancel();
		this.clock.advanceNanos(10);
		assertThat(runs).hasValue(0);
		assertThat(this.clock.waiters()).isZero();
	}

	@Test
	void withdrawsNoOtherTaskThatLooksTheSame() {
		AtomicInteger runs = new AtomicInteger();
		Runnable task = runs::incrementAndGet;
		TimeSource.Scheduled first = this.clock.runAt(10, task);
		this.clock.runAt(10, task);
		first.cancel();
		first.cancel();
		this.clock.advanceNanos(10);
		assertThat(runs).hasValue(1);
	}

	@Test
	void countsThreadsAndTasksThatWait() throws Exception {
		TimeSource.Scheduled task = this.clock.runAt(10, () -> {
		});
		Callers.Caller<Long> caller = this.callers.startAndPark(this.clock, () -> park(this.clock, 5));
		assertThat(this.clock.waiters()).isEqualTo(2);
		this.clock.advanceNanos(5);
		caller.result();
		assertThat(this.clock.waiters()).isEqualTo(1);
		task.cancel();
		assertThat(this.clock.waiters()).isZero();
	}

	@Test
	void parksAThreadUntilAnotherMovesTheClock() throws Exception {
		Callers.Caller<Long> caller = this.callers.startAndPark(this.clock, () -> park(this.clock, 10));
		this.clock.advanceNanos(10);
		assertThat(caller.result()).isEqualTo(10);
	}

	@Test
	void parksNoThreadForAnInstantOfThePast() {
		this.clock.advanceNanos(10);
		this.clock.parkUntil(10);
		this.clock.parkUntil(-10);
		assertThat(this.clock.nanos()).isEqualTo(10);
	}

	@Test
	void parksNoThreadThatIsInterruptedAndLeavesItSo() {
		Thread.currentThread().interrupt();
		this.clock.parkUntil(10);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.clock.waiters()).isZero();
	}

	@Test
	void isMovedByAWaitWhenItAdvancesByItself() {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		advancing.parkUntil(10);
		assertThat(advancing.nanos()).isEqualTo(10);
	}

	@Test
	void isNotMovedBackByAWaitWhenItAdvancesByItself() {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		advancing.parkUntil(10);
		advancing.parkUntil(3);
		assertThat(advancing.nanos()).isEqualTo(10);
	}

	@Test
	void isMovedByATaskWhenItAdvancesByItself() {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		List<Long> instants = new ArrayList<>();
		advancing.runAt(10, () -> instants.add(advancing.nanos()));
		assertThat(instants).containsExactly(10L);
	}

	@Test
	void addsUpTheMovesOfSeveralThreads() throws Exception {
		int moves = 50_000;
		List<Callers.Caller<Long>> movers = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			movers.add(this.callers.start(() -> {
				for (int move = 0; move < moves; move++) {
					this.clock.advanceNanos(1);
				}
				return this.clock.nanos();
			}));
		}
		for (Callers.Caller<Long> mover : movers) {
			mover.result();
		}
		assertThat(this.clock.nanos()).isEqualTo(2 * moves);
	}

	@Test
	void movesOnToItsEndWhenATaskFails() {
		this.clock.runAt(5, () -> {
			throw new IllegalStateException("the task's own problem");
		});
		try {
			this.clock.advanceNanos(10);
		}
		catch (IllegalStateException ex) {
			this.clock.advanceNanos(10);
		}
		assertThat(this.clock.nanos()).isGreaterThanOrEqualTo(10);
		assertThat(this.clock.waiters()).isZero();
	}

	private static long park(ManualTimeSource clock, long instant) {
		while (clock.nanos() - instant < 0) {
			clock.parkUntil(instant);
		}
		return clock.nanos();
	}

}
