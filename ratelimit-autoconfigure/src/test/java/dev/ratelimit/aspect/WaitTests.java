package dev.ratelimit.aspect;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.autoconfigure.RateLimitAspectAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.Reservation;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Limited methods that wait on the calling thread.
 */
@Timeout(60)
class WaitTests {

	private final ManualTimeSource time = new ManualTimeSource();

	private final Service target = new Service();

	private final List<Call> calls = new ArrayList<>();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
		.withBean(ManualTimeSource.class, () -> this.time)
		.withBean(Service.class, () -> this.target);

	@AfterEach
	void endCalls() {
		this.calls.forEach(Thread::interrupt);
	}

	@Test
	void waitLastsUntilTheTokenIsThere() {
		this.runner.run((context) -> {
			service(context).unbounded();
			Call call = start(service(context)::unbounded);
			this.time.advance(Duration.ofSeconds(1).minusNanos(1));
			assertThat(limiter(context, "unbounded").waiters()).isEqualTo(1);
			assertThat(this.target.bodies).hasValue(1);
			this.time.advanceNanos(1);
			assertThat(call.end()).isNull();
			assertThat(this.target.bodies).hasValue(2);
		});
	}

	@Test
	void waitHasNoBoundByDefault() {
		this.runner.run((context) -> {
			RateLimiter limiter = limiter(context, "unbounded");
			IntStream.range(0, 1 + 3600).forEach((i) -> limiter.bucket().reserve(1, Duration.ofDays(1)));
			Call call = start(service(context)::unbounded);
			this.time.advance(Duration.ofHours(1).plusSeconds(1));
			assertThat(call.end()).isNull();
		});
	}

	@ParameterizedTest
	@CsvSource({ "ofAnnotation, , , 2", "ofAnnotation, , 3s, 2", "ofAnnotation, 1s, 3s, 1", "ofAnnotation, 5s, , 5",
			"unbounded, , 3s, 3", "unbounded, 1s, 3s, 1", "unbounded, 5s, 3s, 5", "unbounded, 2s, , 2", "zero, , 3s, 0",
			"zero, 1s, , 1", "ofAnnotation, 0, 3s, 0", "unbounded, , 0, 0", "placeholder, , 3s, 4" })
	void maxWaitIsThatOfTheBucketElseOfTheAnnotationElseTheDefault(String name, String ofBucket, String ofAll,
			int seconds) {
		List<String> properties = new ArrayList<>(List.of("longest=4s"));
		if (ofBucket != null) {
			properties.add("ratelimit.buckets." + name + ".max-wait=" + ofBucket);
		}
		if (ofAll != null) {
			properties.add("ratelimit.max-wait=" + ofAll);
		}
		this.runner.withPropertyValues(properties.toArray(String[]::new)).run((context) -> {
			Service service = service(context);
			call(service, name);
			for (int i = 0; i < seconds; i++) {
				start(() -> call(service, name));
			}
			assertRefusedAtOnce(() -> call(service, name), Duration.ofSeconds(seconds + 1));
			this.time.advance(Duration.ofSeconds(seconds));
			assertThat(this.calls).allSatisfy((call) -> assertThat(call.end()).isNull());
		});
	}

	private void assertRefusedAtOnce(Runnable call, Duration retryAfter) {
		long before = this.time.nanos();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call::run)
			.satisfies((refusal) -> assertThat(refusal.getRetryAfter()).isEqualTo(retryAfter));
		assertThat(this.time.nanos()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "0s", "PT0S" })
	void maxWaitOfZeroNeverWaits(String zero) {
		this.runner.withPropertyValues("ratelimit.buckets.unbounded.max-wait=" + zero).run((context) -> {
			service(context).unbounded();
			assertRefusedAtOnce(service(context)::unbounded, Duration.ofSeconds(1));
		});
	}

	@Test
	void waitThatDoesNotFitTakesNothing() {
		this.runner.run((context) -> {
			RateLimiter limiter = limiter(context, "ofAnnotation");
			IntStream.range(0, 3).forEach((i) -> limiter.bucket().reserve(1, Duration.ofSeconds(2)));
			IntStream.range(0, 100)
				.forEach((i) -> assertRefusedAtOnce(service(context)::ofAnnotation, Duration.ofSeconds(3)));
			this.time.advance(Duration.ofSeconds(3));
			assertThat(limiter.bucket().availableTokens()).isEqualTo(1);
			service(context).ofAnnotation();
		});
	}

	@Test
	void waitThatFitsExactlyIsGranted() {
		this.runner.run((context) -> {
			RateLimiter limiter = limiter(context, "ofAnnotation");
			IntStream.range(0, 2).forEach((i) -> limiter.bucket().reserve(1, Duration.ofSeconds(2)));
			Call call = start(service(context)::ofAnnotation);
			this.time.advance(Duration.ofSeconds(2));
			assertThat(call.end()).isNull();
		});
	}

	@Test
	void refusedWaitIsToldWhenTheSameCallWouldPass() {
		this.runner.run((context) -> {
			RateLimiter limiter = limiter(context, "ofAnnotation");
			limiter.bucket().reserve(1, Duration.ZERO);
			this.time.advance(Duration.ofMillis(250));
			IntStream.range(0, 2).forEach((i) -> limiter.bucket().reserve(1, Duration.ofSeconds(2)));
			assertRefusedAtOnce(service(context)::ofAnnotation, Duration.ofMillis(2750));
			this.time.advance(Duration.ofMillis(750));
			start(service(context)::ofAnnotation);
		});
	}

	@Test
	void waitThatBecomesTooLongIsRefusedAtOnce() {
		this.runner.run((context) -> {
			service(context).ofAnnotation();
			Call first = start(service(context)::ofAnnotation);
			Call second = start(service(context)::ofAnnotation);
			limiter(context, "ofAnnotation").change(RateLimit.of(1, Duration.ofMillis(1500), 1));
			assertThat(second.end()).isInstanceOf(RateLimitExceededException.class);
			assertThat(this.time.nanos()).isZero();
			this.time.advance(Duration.ofMillis(1499));
			assertThat(limiter(context, "ofAnnotation").waiters()).isEqualTo(1);
			this.time.advance(Duration.ofMillis(1));
			assertThat(first.end()).isNull();
		});
	}

	@Test
	void totalTimeNeverExceedsMaxWaitThoughTheRateIsLoweredTwice() {
		this.runner.run((context) -> {
			service(context).ofAnnotation();
			Call call = start(service(context)::ofAnnotation);
			this.time.advance(Duration.ofMillis(500));
			limiter(context, "ofAnnotation").change(RateLimit.of(1, Duration.ofSeconds(2), 1));
			this.time.advance(Duration.ofMillis(500));
			assertThat(limiter(context, "ofAnnotation").waiters()).isEqualTo(1);
			limiter(context, "ofAnnotation").change(RateLimit.of(1, Duration.ofSeconds(8), 1));
			assertThat(call.end()).isInstanceOfSatisfying(RateLimitExceededException.class, (refusal) -> {
				assertThat(refusal.getRetryAfter()).isPositive();
				assertThat(refusal.getLimit()).isEqualTo(RateLimit.of(1, Duration.ofSeconds(8), 1));
			});
			assertThat(this.time.nanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
			assertThat(this.target.bodies).hasValue(1);
		});
	}

	@Test
	void waitThatBecomesTooLongLeavesNothingBehind() {
		this.runner.run((context) -> {
			service(context).ofAnnotation();
			Call call = start(service(context)::ofAnnotation);
			RateLimiter limiter = limiter(context, "ofAnnotation");
			limiter.change(RateLimit.of(1, Duration.ofSeconds(10), 1));
			call.end();
			assertThat(limiter.waiters()).isZero();
			this.time.advance(Duration.ofSeconds(10).minusNanos(1));
			assertThat(limiter.bucket().availableTokens()).isZero();
			this.time.advanceNanos(1);
			assertThat(limiter.bucket().availableTokens()).isEqualTo(1);
		});
	}

	@Test
	void raisedRateShortensWaitsUnderWay() {
		this.runner.run((context) -> {
			service(context).unbounded();
			List<Call> waiting = IntStream.range(0, 4).mapToObj((i) -> start(service(context)::unbounded)).toList();
			this.time.advance(Duration.ofMillis(500));
			limiter(context, "unbounded").change(RateLimit.of(10, Duration.ofSeconds(1), 1));
			this.time.advance(Duration.ofMillis(50).minusNanos(1));
			assertThat(limiter(context, "unbounded").waiters()).isEqualTo(4);
			this.time.advanceNanos(1);
			assertThat(waiting.get(0).end()).isNull();
			this.time.advance(Duration.ofMillis(300));
			assertThat(waiting).allSatisfy((call) -> assertThat(call.end()).isNull());
			assertThat(limiter(context, "unbounded").bucket().availableTokens()).isZero();
		});
	}

	@Test
	void refillEndsTheWaitOfThoseWhoCameFirst() {
		this.runner.run((context) -> {
			service(context).unbounded();
			Call first = start(service(context)::unbounded);
			Call second = start(service(context)::unbounded);
			context.getBean(RateLimiterRegistry.class).refillAll();
			assertThat(first.end()).isNull();
			assertThat(limiter(context, "unbounded").waiters()).isEqualTo(1);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(second.end()).isNull();
		});
	}

	@Test
	void moreCallsThanMaxWaitersAreRefusedAtOnce() {
		this.runner.withPropertyValues("ratelimit.buckets.unbounded.max-waiters=2").run((context) -> {
			service(context).unbounded();
			start(service(context)::unbounded);
			start(service(context)::unbounded);
			assertRefusedAtOnce(service(context)::unbounded, Duration.ofSeconds(3));
			assertThat(limiter(context, "unbounded").waiters()).isEqualTo(2);
		});
	}

	@Test
	void noMoreThanMaxWaitersWaitThoughTheyComeAllAtOnce() {
		this.runner.withPropertyValues("ratelimit.buckets.unbounded.max-waiters=10").run((context) -> {
			service(context).unbounded();
			CountDownLatch together = new CountDownLatch(1);
			List<Call> calls = IntStream.range(0, 50).mapToObj((i) -> new Call(() -> {
				await(together);
				service(context).unbounded();
			})).toList();
			this.calls.addAll(calls);
			calls.forEach(Thread::start);
			together.countDown();
			SpinWait.until(() -> calls.stream().filter((call) -> !call.isAlive()).count() == 40);
			SpinWait.until(() -> this.time.waiters() == 10);
			assertThat(calls.stream().filter((call) -> !call.isAlive()))
				.allSatisfy((call) -> assertThat(call.end()).isInstanceOf(RateLimitExceededException.class));
			this.time.advance(Duration.ofSeconds(10));
			SpinWait.until(() -> calls.stream().noneMatch(Thread::isAlive));
			assertThat(this.target.bodies).hasValue(11);
			assertThat(limiter(context, "unbounded").bucket().availableTokens()).isZero();
		});
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void refusalForMaxWaitersTakesNothing() {
		this.runner.withPropertyValues("ratelimit.buckets.unbounded.max-waiters=1").run((context) -> {
			service(context).unbounded();
			Call waiting = start(service(context)::unbounded);
			IntStream.range(0, 10)
				.forEach((i) -> assertRefusedAtOnce(service(context)::unbounded, Duration.ofSeconds(2)));
			this.time.advance(Duration.ofSeconds(1));
			assertThat(waiting.end()).isNull();
			this.time.advance(Duration.ofSeconds(1));
			service(context).unbounded();
		});
	}

	@Test
	void maxWaitersOfZeroLetsNobodyWait() {
		this.runner.withPropertyValues("ratelimit.buckets.unbounded.max-waiters=0").run((context) -> {
			service(context).unbounded();
			assertRefusedAtOnce(service(context)::unbounded, Duration.ofSeconds(1));
		});
	}

	@Test
	void maxWaitersCountsOnlyThoseWaitingNow() {
		this.runner.withPropertyValues("ratelimit.buckets.unbounded.max-waiters=1").run((context) -> {
			service(context).unbounded();
			for (int i = 0; i < 5; i++) {
				Call call = start(service(context)::unbounded);
				this.time.advance(Duration.ofSeconds(1));
				assertThat(call.end()).isNull();
			}
		});
	}

	@Test
	void maxWaitersDoesNotCountCallsThatPassAtOnce() {
		this.runner
			.withPropertyValues("ratelimit.buckets.unbounded.max-waiters=1", "ratelimit.buckets.unbounded.capacity=50")
			.run((context) -> {
				IntStream.range(0, 50).forEach((i) -> service(context).unbounded());
				assertThat(this.target.bodies).hasValue(50);
			});
	}

	@Test
	void placeOfAnInterruptedWaiterIsFreeAtOnce() {
		this.runner.withPropertyValues("ratelimit.buckets.unbounded.max-waiters=1").run((context) -> {
			service(context).unbounded();
			Call interrupted = start(service(context)::unbounded);
			interrupted.interrupt();
			interrupted.end();
			Call next = start(service(context)::unbounded);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(next.end()).isNull();
		});
	}

	@Test
	void interruptEndsAWaitAndKeepsTheFlag() {
		this.runner.run((context) -> {
			service(context).unbounded();
			Call call = start(service(context)::unbounded);
			call.interrupt();
			assertThat(call.end()).isInstanceOfSatisfying(RateLimitWaitInterruptedException.class,
					(ex) -> assertThat(ex.getBucketName()).isEqualTo("unbounded"));
			assertThat(call.flagged).isTrue();
			assertThat(this.target.bodies).hasValue(1);
			assertThat(limiter(context, "unbounded").waiters()).isZero();
			this.time.advance(Duration.ofSeconds(1));
			assertThat(limiter(context, "unbounded").bucket().availableTokens()).isEqualTo(1);
		});
	}

	@Test
	void interruptedThreadDoesNotWait() {
		this.runner.run((context) -> {
			service(context).unbounded();
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(RateLimitWaitInterruptedException.class)
				.isThrownBy(() -> service(context).unbounded());
			assertThat(Thread.interrupted()).isTrue();
			this.time.advance(Duration.ofSeconds(1));
			assertThat(limiter(context, "unbounded").bucket().availableTokens()).isEqualTo(1);
		});
	}

	@Test
	void interruptedThreadPassesIfATokenIsThere() {
		this.runner.run((context) -> {
			Thread.currentThread().interrupt();
			service(context).unbounded();
			assertThat(Thread.interrupted()).isTrue();
			assertThat(this.target.bodies).hasValue(1);
		});
	}

	@Test
	void interruptGivesBackToAllLimitsOfTheCall() {
		this.runner.run((context) -> {
			service(context).both();
			Call call = start(service(context)::both);
			this.time.advance(Duration.ofMillis(1500));
			call.interrupt();
			assertThat(call.end()).isInstanceOf(RateLimitWaitInterruptedException.class);
			this.time.advance(Duration.ofMillis(500));
			assertThat(limiter(context, "fast").bucket().availableTokens()).isEqualTo(1);
			assertThat(limiter(context, "slow").bucket().availableTokens()).isEqualTo(1);
		});
	}

	@Test
	void waitForSeveralLimitsEndsWithinTheBoundOfOneThatIsLoweredMeanwhile() {
		this.runner.run((context) -> {
			service(context).patientAndHasty();
			Call call = start(service(context)::patientAndHasty);
			limiter(context, "hasty").change(RateLimit.of(1, Duration.ofHours(1), 1));
			assertThat(call.end()).isInstanceOfSatisfying(RateLimitExceededException.class,
					(refusal) -> assertThat(refusal.getBucketName()).isEqualTo("hasty"));
			assertThat(limiter(context, "patient").waiters()).isZero();
			this.time.advance(Duration.ofMinutes(1));
			assertThat(limiter(context, "patient").bucket().availableTokens()).isEqualTo(1);
		});
	}

	@Test
	void waitForSeveralLimitsIsTheLongest() {
		this.runner.run((context) -> {
			service(context).both();
			Call call = start(service(context)::both);
			this.time.advance(Duration.ofSeconds(2).minusNanos(1));
			SpinWait.until(() -> this.time.waiters() == 1);
			assertThat(this.target.bodies).hasValue(1);
			this.time.advanceNanos(1);
			assertThat(call.end()).isNull();
		});
	}

	@Test
	void closingTheContextEndsWaitsWithoutTheFlag() {
		this.runner.run((context) -> {
			service(context).unbounded();
			List<Call> waiting = IntStream.range(0, 10).mapToObj((i) -> start(service(context)::unbounded)).toList();
			context.close();
			assertThat(waiting).allSatisfy((call) -> {
				assertThat(call.end()).isInstanceOf(RateLimitWaitInterruptedException.class);
				assertThat(call.flagged).isFalse();
			});
			assertThat(this.target.bodies).hasValue(1);
			assertThat(this.time.nanos()).isZero();
		});
	}

	@Test
	void callDoesNotWaitAfterTheContextHasClosed() {
		this.runner.run((context) -> {
			Service service = service(context);
			service.unbounded();
			context.close();
			assertThatExceptionOfType(RateLimitWaitInterruptedException.class).isThrownBy(service::unbounded);
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
		});
	}

	@Test
	void closingAnotherContextEndsNoWait() {
		this.runner.run((context) -> {
			service(context).unbounded();
			Call call = start(service(context)::unbounded);
			new ApplicationContextRunner().withParent(context).run((child) -> assertThat(child).hasNotFailed());
			assertThat(limiter(context, "unbounded").waiters()).isEqualTo(1);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(call.end()).isNull();
		});
	}

	@Test
	void waitHoldsNoMonitorSoThatItPinsNoVirtualThread() {
		this.runner.run((context) -> {
			service(context).unbounded();
			Call call = start(service(context)::unbounded);
			SpinWait.until(() -> call.getState() == Thread.State.WAITING);
			ThreadInfo info = ManagementFactory.getThreadMXBean()
				.getThreadInfo(new long[] { call.getId() }, true, true)[0];
			assertThat(info.getLockedMonitors()).isEmpty();
			assertThat(info.getLockedSynchronizers()).isEmpty();
		});
	}

	@Test
	void ofHundredWaitingEverySecondInterruptedTheOthersAreThroughInHalfTheTimeInOrder() {
		this.runner.run((context) -> {
			RateLimiter limiter = limiter(context, "hundred");
			List<Integer> through = new CopyOnWriteArrayList<>();
			service(context).hundred();
			List<Call> waiting = IntStream.range(0, 100).mapToObj((number) -> start(() -> {
				service(context).hundred();
				through.add(number);
			})).toList();
			IntStream.range(0, 50).forEach((i) -> waiting.get(2 * i).interrupt());
			for (int i = 0; i < 50; i++) {
				assertThat(waiting.get(2 * i).end()).isInstanceOf(RateLimitWaitInterruptedException.class);
			}
			assertThat(limiter.waiters()).isEqualTo(50);
			for (int passed = 1; passed <= 50; passed++) {
				this.time.advance(Duration.ofMillis(100).minusNanos(1));
				assertThat(limiter.bucket().tryAcquire()).isFalse();
				assertThat(through).hasSize(passed - 1);
				this.time.advanceNanos(1);
				assertThat(waiting.get(2 * passed - 1).end()).isNull();
				assertThat(limiter.bucket().tryAcquire()).isFalse();
			}
			assertThat(through).containsExactlyElementsOf(IntStream.range(0, 50).mapToObj((i) -> 2 * i + 1).toList());
			assertThat(this.time.nanos()).isEqualTo(Duration.ofSeconds(5).toNanos());
			assertThat(this.target.bodies).hasValue(51);
			this.time.advance(Duration.ofMillis(100));
			assertThat(limiter.bucket().availableTokens()).isEqualTo(1);
		});
	}

	@Test
	void ofHundredReservationsEverySecondCancelledTheOthersAreThroughInHalfTheTimeInOrder() {
		this.runner.run((context) -> {
			TokenBucket bucket = limiter(context, "hundred").bucket();
			assertThat(bucket.tryAcquire()).isTrue();
			List<Reservation> waiting = IntStream.range(0, 100)
				.mapToObj((i) -> bucket.reserve(1, Duration.ofSeconds(10)))
				.toList();
			List<Integer> through = new ArrayList<>();
			IntStream.range(0, 100).forEach((i) -> waiting.get(i).whenUsable().thenAccept((usable) -> through.add(i)));
			IntStream.range(0, 50).forEach((i) -> waiting.get(2 * i).cancel());
			for (int passed = 1; passed <= 50; passed++) {
				assertThat(waiting.get(2 * passed - 1).waitTime()).isEqualTo(Duration.ofMillis(100L * passed));
				this.time.advance(Duration.ofMillis(100).minusNanos(1));
				assertThat(through).hasSize(passed - 1);
				this.time.advanceNanos(1);
				assertThat(through).hasSize(passed).last().isEqualTo(2 * passed - 1);
				assertThat(bucket.tryAcquire()).isFalse();
			}
			this.time.advance(Duration.ofMillis(100));
			assertThat(bucket.availableTokens()).isEqualTo(1);
			assertThat(through).hasSize(50);
		});
	}

	@Test
	void callWaitsBehindReservationsMadeInCode() {
		this.runner.run((context) -> {
			TokenBucket bucket = limiter(context, "unbounded").bucket();
			bucket.tryAcquire();
			Reservation ahead = bucket.reserve(1, Duration.ofSeconds(10));
			Call call = start(service(context)::unbounded);
			this.time.advance(Duration.ofMillis(500));
			ahead.cancel();
			this.time.advance(Duration.ofMillis(500));
			assertThat(call.end()).isNull();
		});
	}

	@Test
	void keysWaitForThemselves() {
		this.runner.run((context) -> {
			service(context).keyed("alice");
			Call alice = start(() -> service(context).keyed("alice"));
			service(context).keyed("bob");
			this.time.advance(Duration.ofSeconds(1));
			assertThat(alice.end()).isNull();
		});
	}

	/**
	 * Starts a call on a thread of its own that is to wait, and returns when it does.
	 */
	private Call start(Runnable body) {
		int before = this.time.waiters();
		Call call = new Call(body);
		this.calls.add(call);
		call.start();
		SpinWait.until(() -> this.time.waiters() == before + 1);
		return call;
	}

	private static void call(Service service, String name) {
		switch (name) {
			case "unbounded" -> service.unbounded();
			case "ofAnnotation" -> service.ofAnnotation();
			case "zero" -> service.zero();
			default -> service.placeholder();
		}
	}

	private static Service service(AssertableApplicationContext context) {
		return context.getBean(Service.class);
	}

	private static RateLimiter limiter(AssertableApplicationContext context, String name) {
		return context.getBean(RateLimiterRegistry.class).get(name);
	}

	/**
	 * A call on a thread of its own.
	 */
	private static final class Call extends Thread {

		private final Runnable body;

		private volatile RuntimeException failure;

		private volatile boolean flagged;

		Call(Runnable body) {
			this.body = body;
			setDaemon(true);
		}

		@Override
		public void run() {
			try {
				this.body.run();
			}
			catch (RuntimeException ex) {
				this.failure = ex;
			}
			this.flagged = isInterrupted();
		}

		/**
		 * Returns what the call threw, when it has ended.
		 */
		RuntimeException end() throws InterruptedException {
			join(TimeUnit.SECONDS.toMillis(30));
			assertThat(isAlive()).isFalse();
			return this.failure;
		}

	}

	static class Service {

		final AtomicInteger bodies = new AtomicInteger();

		@RateLimited(name = "unbounded", rate = 1, mode = RateLimitMode.WAIT)
		void unbounded() {
			this.bodies.incrementAndGet();
		}

		@RateLimited(name = "ofAnnotation", rate = 1, mode = RateLimitMode.WAIT, maxWait = "2s")
		void ofAnnotation() {
			this.bodies.incrementAndGet();
		}

		@RateLimited(name = "zero", rate = 1, mode = RateLimitMode.WAIT, maxWait = "0")
		void zero() {
			this.bodies.incrementAndGet();
		}

		@RateLimited(name = "placeholder", rate = 1, mode = RateLimitMode.WAIT, maxWait = "${longest:1s}")
		void placeholder() {
			this.bodies.incrementAndGet();
		}

		@RateLimited(name = "patient", rate = 1, per = "1m", mode = RateLimitMode.WAIT)
		@RateLimited(name = "hasty", rate = 1, mode = RateLimitMode.WAIT, maxWait = "2s")
		void patientAndHasty() {
			this.bodies.incrementAndGet();
		}

		@RateLimited(name = "fast", rate = 1, mode = RateLimitMode.WAIT)
		@RateLimited(name = "slow", rate = 1, per = "2s", mode = RateLimitMode.WAIT)
		void both() {
			this.bodies.incrementAndGet();
		}

		@RateLimited(name = "hundred", rate = 10, capacity = 1, mode = RateLimitMode.WAIT)
		void hundred() {
			this.bodies.incrementAndGet();
		}

		@RateLimited(name = "keyed", rate = 1, key = "#user", mode = RateLimitMode.WAIT)
		void keyed(String user) {
			this.bodies.incrementAndGet();
		}

	}

}
