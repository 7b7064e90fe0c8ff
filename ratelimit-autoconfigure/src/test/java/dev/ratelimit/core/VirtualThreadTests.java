package dev.ratelimit.core;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of virtual threads, which this code, compiled for Java 17, cannot name.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
@Timeout(60)
class VirtualThreadTests {

	private static final int THREADS = 1_000;

	private static final Duration LONG = Duration.ofHours(1);

	private final ManualTimeSource clock = new ManualTimeSource();

	private final TokenBucket bucket = TokenBucket.create(RateLimit.of(1_000, Duration.ofSeconds(1), 1), this.clock);

	private final List<Integer> passed = Collections.synchronizedList(new ArrayList<>());

	private final AtomicInteger interrupted = new AtomicInteger();

	@Test
	void passInOrderOfArrival() throws ReflectiveOperationException {
		this.bucket.tryAcquire();
		startWaiting();
		for (int i = 1; i <= THREADS; i++) {
			int count = i;
			this.clock.advance(Duration.ofMillis(1));
			Callers.until(() -> this.passed.size() == count, "passed");
		}
		assertThat(this.passed).containsExactlyElementsOf(IntStream.range(0, THREADS).boxed().toList());
	}

	@Test
	void handTheirPlacesOnWhenInterrupted() throws ReflectiveOperationException {
		this.bucket.tryAcquire();
		List<Thread> threads = startWaiting();
		for (int i = 0; i < THREADS; i += 2) {
			threads.get(i).interrupt();
		}
		Callers.until(() -> this.interrupted.get() == THREADS / 2, "interrupted");
		for (int i = 1; i <= THREADS / 2; i++) {
			int count = i;
			this.clock.advance(Duration.ofMillis(1));
			Callers.until(() -> this.passed.size() == count, "passed");
		}
		assertThat(this.passed)
			.containsExactlyElementsOf(IntStream.range(0, THREADS / 2).mapToObj((i) -> 2 * i + 1).toList());
	}

	private List<Thread> startWaiting() throws ReflectiveOperationException {
		Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			int number = i;
			threads.add((Thread) start.invoke(null, (Runnable) () -> pass(number)));
			Callers.until(() -> this.clock.waiters() == number + 1, "parked");
		}
		return threads;
	}

	private void pass(int number) {
		try {
			if (this.bucket.tryAcquire(1, LONG)) {
				this.passed.add(number);
			}
		}
		catch (InterruptedException ex) {
			this.interrupted.incrementAndGet();
		}
	}

}
