package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TimeSource;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Annotated methods in mode WAIT.
 */
class WaitingThroughAdviceTests {

	private static final AutoConfigurations AUTO_CONFIGURATIONS = AutoConfigurations
		.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class);

	private final ManualTimeSource clock = new ManualTimeSource();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AUTO_CONFIGURATIONS)
		.withBean(TimeSource.class, () -> this.clock)
		.withBean(Service.class);

	@Test
	void waitsUntilATokenIsThere() {
		ManualTimeSource autoAdvancing = ManualTimeSource.autoAdvancing();
		new ApplicationContextRunner().withConfiguration(AUTO_CONFIGURATIONS)
			.withBean(TimeSource.class, () -> autoAdvancing)
			.withBean(Service.class)
			.run((context) -> {
				Service service = context.getBean(Service.class);
				for (int calls = 0; calls < 5; calls++) {
					service.call();
				}
				assertThat(autoAdvancing.nanos()).isEqualTo(Duration.ofSeconds(3).toNanos());
				assertThat(service.calls()).isEqualTo(5);
			});
	}

	@Test
	void proceedsAtTheInstantOfItsTokenAndNotBefore() {
		this.runner.run((context) -> {
			Service service = context.getBean(Service.class);
			service.call();
			service.call();
			Waiter waiter = new Waiter(service::call);
			awaitWaiters(1);
			this.clock.advance(Duration.ofSeconds(1).minusNanos(1));
			assertThat(this.clock.waiters()).isOne();
			assertThat(service.calls()).isEqualTo(2);
			this.clock.advanceNanos(1);
			assertThat(waiter.failure()).isNull();
			assertThat(service.calls()).isEqualTo(3);
		});
	}

	@Test
	void refusesAtOnceWhatCannotPassWithinItsWait() {
		this.runner.run((context) -> {
			Service service = context.getBean(Service.class);
			service.callPatiently();
			service.callPatiently();
			Waiter first = new Waiter(service::callPatiently);
			awaitWaiters(1);
			Waiter second = new Waiter(service::callPatiently);
			awaitWaiters(2);
			Waiter hopeless = new Waiter(service::callPatiently);
			assertThat(hopeless.failure()).isInstanceOfSatisfying(RateLimitExceededException.class, (ex) -> {
				assertThat(ex.getBucketName()).isEqualTo("patient");
				assertThat(ex.getRetryAfter()).isPositive();
			});
			assertThat(this.clock.nanos()).isZero();
			this.clock.advance(Duration.ofSeconds(2));
			assertThat(first.failure()).isNull();
			assertThat(second.failure()).isNull();
		});
	}

	@Test
	void anInterruptedWaitKeepsTheFlagAndNeverCallsTheMethod() {
		this.runner.run((context) -> {
			Service service = context.getBean(Service.class);
			service.call();
			service.call();
			Waiter waiter = new Waiter(service::call);
			awaitWaiters(1);
			waiter.thread.interrupt();
			assertThat(waiter.failure()).isInstanceOfSatisfying(RateLimitWaitInterruptedException.class,
					(ex) -> assertThat(ex.getBucketName()).isEqualTo("calls"));
			assertThat(waiter.interrupted).isTrue();
			assertThat(service.calls()).isEqualTo(2);
		});
	}

	@Test
	void anInterruptedWaitGivesItsTokenBack() {
		this.runner.run((context) -> {
			Service service = context.getBean(Service.class);
			service.call();
			service.call();
			Waiter waiter = new Waiter(service::call);
			awaitWaiters(1);
			waiter.thread.interrupt();
			waiter.failure();
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).get("calls");
			assertThat(limiter.waiters()).isZero();
			assertThat(limiter.bucket().reserve(1, Duration.ofDays(1)).waitTime()).isEqualTo(Duration.ofSeconds(1));
		});
	}

	@Test
	void aCallOfAnInterruptedThreadThatNeedNotWaitPasses() {
		this.runner.run((context) -> {
			Service service = context.getBean(Service.class);
			Waiter waiter = new Waiter(() -> {
				Thread.currentThread().interrupt();
				service.call();
			});
			assertThat(waiter.failure()).isNull();
			assertThat(waiter.interrupted).isTrue();
		});
	}

	@Test
	void aCallOfAnInterruptedThreadThatWouldWaitEndsAtOnce() {
		this.runner.run((context) -> {
			Service service = context.getBean(Service.class);
			service.call();
			service.call();
			Waiter waiter = new Waiter(() -> {
				Thread.currentThread().interrupt();
				service.call();
			});
			assertThat(waiter.failure()).isInstanceOf(RateLimitWaitInterruptedException.class);
			assertThat(waiter.interrupted).isTrue();
			assertThat(service.calls()).isEqualTo(2);
		});
	}

	@Test
	void theClosingOfItsContextReleasesEveryWaiterWithoutAnInterrupt() {
		this.runner.run((context) -> {
			Service service = context.getBean(Service.class);
			service.call();
			service.call();
			Waiter first = new Waiter(service::call);
			Waiter second = new Waiter(service::call);
			awaitWaiters(2);
			context.getSourceApplicationContext(ConfigurableApplicationContext.class).close();
			assertThat(first.failure()).isInstanceOf(RateLimitWaitInterruptedException.class);
			assertThat(second.failure()).isInstanceOf(RateLimitWaitInterruptedException.class);
			assertThat(first.interrupted).isFalse();
			assertThat(second.interrupted).isFalse();
			assertThat(service.calls()).isEqualTo(2);
			assertThat(this.clock.waiters()).isZero();
		});
	}

	@Test
	void theClosingOfItsContextReleasesWaitersOfKeys() {
		this.runner.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).get("calls");
			limiter.bucket("alice").tryAcquire(2);
			Waiter waiter = new Waiter(() -> limiter.bucket("alice").acquire());
			awaitWaiters(1);
			context.getSourceApplicationContext(ConfigurableApplicationContext.class).close();
			assertThat(waiter.failure()).isInstanceOf(RateLimitWaitInterruptedException.class);
			assertThat(waiter.interrupted).isFalse();
		});
	}

	@Test
	void afterTheClosingNobodyWaits() {
		this.runner.run((context) -> {
			Service service = context.getBean(Service.class);
			service.call();
			service.call();
			context.getSourceApplicationContext(ConfigurableApplicationContext.class).close();
			Waiter late = new Waiter(service::call);
			assertThat(late.failure()).isInstanceOf(RateLimitWaitInterruptedException.class);
			assertThat(late.interrupted).isFalse();
		});
	}

	@Test
	void waitersAreReleasedBeforeAnyLifecycleStops() {
		AtomicReference<Throwable> seenAtStop = new AtomicReference<>();
		AtomicReference<Waiter> waiter = new AtomicReference<>();
		this.runner
			.withBean(StopListener.class, () -> new StopListener(() -> seenAtStop.set(waiter.get().failureWithin(10))))
			.run((context) -> {
				Service service = context.getBean(Service.class);
				service.call();
				service.call();
				waiter.set(new Waiter(service::call));
				awaitWaiters(1);
				context.getSourceApplicationContext(ConfigurableApplicationContext.class).close();
				assertThat(seenAtStop.get()).isInstanceOf(RateLimitWaitInterruptedException.class);
			});
	}

	@Test
	void theClosingOfAChildContextReleasesNobody() {
		this.runner.run((context) -> {
			Service service = context.getBean(Service.class);
			service.call();
			service.call();
			Waiter waiter = new Waiter(service::call);
			awaitWaiters(1);
			AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
			child.setParent(context.getSourceApplicationContext());
			child.refresh();
			child.close();
			assertThat(this.clock.waiters()).isOne();
			this.clock.advance(Duration.ofSeconds(1));
			assertThat(waiter.failure()).isNull();
			assertThat(service.calls()).isEqualTo(3);
		});
	}

	@Test
	void theClosingOfAChildWithLimitsOfItsOwnReleasesOnlyItsOwnWaiters() {
		this.runner.run((parent) -> new ApplicationContextRunner().withConfiguration(AUTO_CONFIGURATIONS)
			.withBean("childClock", TimeSource.class, () -> this.clock)
			.withBean("childService", Service.class)
			.withParent(parent)
			.run((child) -> {
				Service ofParent = parent.getBean(Service.class);
				Service ofChild = child.getBean("childService", Service.class);
				Waiter parentWaiter = waiter(ofParent);
				Waiter childWaiter = waiter(ofChild);
				awaitWaiters(2);
				child.getSourceApplicationContext(ConfigurableApplicationContext.class).close();
				assertThat(childWaiter.failure()).isInstanceOf(RateLimitWaitInterruptedException.class);
				assertThat(this.clock.waiters()).isOne();
				this.clock.advance(Duration.ofSeconds(1));
				assertThat(parentWaiter.failure()).isNull();
			}));
	}

	private static Waiter waiter(Service service) {
		service.call();
		service.call();
		return new Waiter(service::call);
	}

	private void awaitWaiters(int waiters) {
		long start = System.nanoTime();
		while (this.clock.waiters() < waiters) {
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
			Thread.onSpinWait();
		}
	}

	/**
	 * A thread in a call, and how it came out of it.
	 */
	private static final class Waiter {

		private final AtomicBoolean interrupted = new AtomicBoolean();

		private final FutureTask<Void> task;

		private final Thread thread;

		private Waiter(Call call) {
			this.task = new FutureTask<>(() -> {
				try {
					call.run();
					return null;
				}
				finally {
					this.interrupted.set(Thread.currentThread().isInterrupted());
				}
			});
			this.thread = new Thread(this.task);
			this.thread.setDaemon(true);
			this.thread.start();
		}

		private Throwable failure() {
			return failureWithin(10);
		}

		private Throwable failureWithin(int seconds) {
			try {
				this.task.get(seconds, TimeUnit.SECONDS);
				return null;
			}
			catch (ExecutionException ex) {
				return ex.getCause();
			}
			catch (Exception ex) {
				throw new AssertionError("the call does not end", ex);
			}
		}

	}

	interface Call {

		void run() throws Exception;

	}

	static class Service {

		private final AtomicInteger calls = new AtomicInteger();

		public int calls() {
			return this.calls.get();
		}

		@RateLimited(name = "calls", rate = 1, capacity = 2, mode = RateLimitMode.WAIT)
		public void call() {
			this.calls.incrementAndGet();
		}

		@RateLimited(name = "patient", rate = 1, capacity = 2, mode = RateLimitMode.WAIT, maxWait = "2s")
		public void callPatiently() {
			this.calls.incrementAndGet();
		}

	}

	/**
	 * Stops first, like the graceful shutdown of a web server.
	 */
	static class StopListener implements SmartLifecycle {

		private final Runnable atStop;

		private boolean running;

		StopListener(Runnable atStop) {
			this.atStop = atStop;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			this.atStop.run();
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

}
