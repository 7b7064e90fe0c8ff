package dev.ratelimit.aspect;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.autoconfigure.RateLimitAspectAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import dev.ratelimit.core.RateLimiterRegistry;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limited methods that wait on virtual threads, by the machine's clock: Flight Recorder
 * reports threads that could not leave their carrier while they were parked.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
@Timeout(60)
class VirtualThreadPinningTests {

	private static final int CALLS = 300;

	@TempDir
	private Path directory;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
		.withBean(Service.class);

	@Test
	void threadsThatWaitForThreeTenthsOfASecondAreNeverPinned() {
		this.runner.run((context) -> {
			Service service = context.getBean(Service.class);
			loadClasses(service);
			int before = service.bodies();
			List<RecordedEvent> pinned = pinned(() -> {
				List<Thread> threads = new ArrayList<>();
				for (int i = 0; i < CALLS; i++) {
					threads.add(startVirtualThread(service::call));
				}
				threads.forEach(VirtualThreadPinningTests::join);
			});
			assertThat(service.bodies()).isEqualTo(before + CALLS);
			assertThat(pinned).isEmpty();
		});
	}

	@Test
	void threadsThatAreInterruptedWhileTheyWaitAreNeverPinned() {
		this.runner.withPropertyValues("ratelimit.buckets.pinning.rate=0.001").run((context) -> {
			Service service = context.getBean(Service.class);
			loadClasses(service);
			int before = service.bodies();
			List<RecordedEvent> pinned = pinned(() -> {
				List<Thread> threads = new ArrayList<>();
				for (int i = 0; i < CALLS; i++) {
					threads.add(startVirtualThread(() -> ignoringInterrupts(service::call)));
				}
				SpinWait.until(() -> context.getBean(RateLimiterRegistry.class).get("pinning").waiters() == CALLS);
				threads.forEach(Thread::interrupt);
				threads.forEach(VirtualThreadPinningTests::join);
			});
			assertThat(service.bodies()).isEqualTo(before);
			assertThat(pinned).isEmpty();
		});
	}

	@Test
	void recorderSeesAThreadThatIsPinned() throws Exception {
		List<RecordedEvent> pinned = pinned(
				() -> join(startVirtualThread(() -> assertThat(ParksInItsInitializer.PARKED).isTrue())));
		assertThat(pinned).isNotEmpty();
	}

	/**
	 * Goes once through what the threads will do: one that waits for another to
	 * initialize a class is pinned, whoever wrote the class.
	 */
	private static void loadClasses(Service service) {
		service.call();
		Thread.currentThread().interrupt();
		ignoringInterrupts(service::call);
		assertThat(Thread.interrupted()).isTrue();
	}

	private List<RecordedEvent> pinned(Runnable action) throws IOException {
		Path file = this.directory.resolve("pinned.jfr");
		try (Recording recording = new Recording()) {
			recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withStackTrace();
			recording.start();
			action.run();
			recording.stop();
			recording.dump(file);
		}
		return RecordingFile.readAllEvents(file)
			.stream()
			.filter((event) -> event.getStackTrace()
				.getFrames()
				.stream()
				.anyMatch((frame) -> frame.getMethod().getType().getName().startsWith("dev.ratelimit.")))
			.toList();
	}

	/**
	 * Calls {@code Thread.startVirtualThread}, for tests are compiled for Java 17.
	 */
	private static Thread startVirtualThread(Runnable task) {
		try {
			Method method = Thread.class.getMethod("startVirtualThread", Runnable.class);
			return (Thread) method.invoke(null, task);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void ignoringInterrupts(Runnable call) {
		try {
			call.run();
		}
		catch (RateLimitWaitInterruptedException ex) {
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		}
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static final class ParksInItsInitializer {

		static final boolean PARKED = park();

		private static boolean park() {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			return true;
		}

	}

	static class Service {

		private final AtomicInteger bodies = new AtomicInteger();

		int bodies() {
			return this.bodies.get();
		}

		@RateLimited(name = "pinning", rate = 1000, capacity = 1, mode = RateLimitMode.WAIT)
		void call() {
			this.bodies.incrementAndGet();
		}

	}

}
