package dev.ratelimit.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.core.ManualTimeSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plays the timeline on a clock that moves in steps of 50 ms, each as soon as all calls
 * that run or have a place in the queue are waiting for it.
 */
@Timeout(60)
@TestInstance(Lifecycle.PER_CLASS)
class TimelineTests {

	private final ManualTimeSource timeSource = new ManualTimeSource();

	private final List<String> lines = new ArrayList<>();

	private List<String> burst;

	private List<String> semaphore;

	private List<String> bucket;

	private List<String> queue;

	@BeforeAll
	void play() {
		CompletableFuture<Void> played = CompletableFuture.runAsync(this::playTimeline);
		steps(20, 1);
		steps(20, 5);
		steps(1, 10);
		steps(1, 100);
		for (int waiting = 90; waiting > 0; waiting--) {
			steps(2, waiting);
		}
		played.join();
		List<Integer> ends = IntStream.range(0, this.lines.size())
			.filter((index) -> this.lines.get(index).isEmpty() || index == this.lines.size() - 1)
			.boxed()
			.toList();
		this.burst = events(0, ends.get(0));
		this.semaphore = events(ends.get(1), ends.get(2));
		this.bucket = events(ends.get(2), ends.get(3));
		this.queue = events(ends.get(3), ends.get(4) + 1);
	}

	private void playTimeline() {
		try {
			new Timeline(this.timeSource, this.lines::add).play();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void steps(int count, int waiters) {
		for (int step = 0; step < count; step++) {
			while (this.timeSource.waiters() != waiters) {
				Thread.yield();
			}
			this.timeSource.advanceNanos(TimeUnit.MILLISECONDS.toNanos(50));
		}
	}

	private List<String> events(int from, int to) {
		return this.lines.subList(from, to)
			.stream()
			.filter((line) -> line.contains(" ms  "))
			.map(String::strip)
			.toList();
	}

	@Test
	void passesTenAtOnceAndThenOneEveryTenthOfASecond() {
		assertThat(this.burst).containsExactlyElementsOf(IntStream.rangeClosed(1, 20)
			.mapToObj((call) -> "%d ms  call %d passes".formatted(Math.max(0, call - 10) * 100, call))
			.toList());
	}

	@Test
	void startsAsManyAsTheSemaphoreHasRoomForWhateverTheRate() {
		assertThat(this.semaphore).containsExactly("50 ms  call 10 starts", "150 ms  call 20 starts",
				"250 ms  call 30 starts", "350 ms  call 40 starts", "450 ms  call 50 starts", "550 ms  call 60 starts",
				"650 ms  call 70 starts", "750 ms  call 80 starts", "850 ms  call 90 starts", "950 ms  call 100 starts",
				"1000 ms  done: 100 ran, at most 5 at a time; 0 were refused");
	}

	@Test
	void startsAsManyAsTheBucketHasTokensForAndRefusesTheOthers() {
		assertThat(this.bucket).containsExactly("0 ms  call 10 starts",
				"50 ms  done: 10 ran, at most 10 at a time; 90 were refused");
	}

	@Test
	void startsAllInTheQueueTenASecond() {
		assertThat(this.queue).containsExactly("0 ms  call 10 starts", "1000 ms  call 20 starts",
				"2000 ms  call 30 starts", "3000 ms  call 40 starts", "4000 ms  call 50 starts",
				"5000 ms  call 60 starts", "6000 ms  call 70 starts", "7000 ms  call 80 starts",
				"8000 ms  call 90 starts", "9000 ms  call 100 starts",
				"9050 ms  done: 100 ran, at most 10 at a time; 0 were refused");
	}

}
