package dev.ratelimit.aspect;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.autoconfigure.RateLimitAspectAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.TaskDecorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Limited methods that return a {@link CompletionStage}.
 */
class CompletionStageTests {

	private static final ThreadLocal<String> USER = new ThreadLocal<>();

	private final ManualTimeSource time = new ManualTimeSource();

	private final Service target = new Service();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
		.withBean(ManualTimeSource.class, () -> this.time)
		.withBean(CallContext.Source.class, () -> () -> new RecordingCallContext(USER.get()))
		.withBean(Service.class, () -> this.target);

	private final ApplicationContextRunner executorRunner = this.runner
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
		.withPropertyValues("spring.task.execution.thread-name-prefix=application-");

	@Test
	void callWithATokenRunsTheBodyOnTheCallingThread() {
		this.runner.run((context) -> {
			assertThat(service(context).waiting("a")).isCompletedWithValue("a");
			assertThat(this.target.threads).containsExactly(Thread.currentThread());
		});
	}

	@Test
	void refusalIsAFailedStage() {
		this.runner.run((context) -> {
			service(context).refusing();
			assertThat(service(context).refusing()).isCompletedExceptionally()
				.failsWithin(Duration.ZERO)
				.withThrowableOfType(ExecutionException.class)
				.havingCause()
				.isInstanceOfSatisfying(RateLimitExceededException.class, (refusal) -> {
					assertThat(refusal.getBucketName()).isEqualTo("refusing");
					assertThat(refusal.getRetryAfter()).isEqualTo(Duration.ofSeconds(1));
				});
			assertThat(this.target.bodies).hasValue(1);
		});
	}

	@Test
	void refusalOfACompletionStageIsAFailedStage() {
		this.runner.run((context) -> {
			service(context).stage();
			CompletionStage<String> refused = service(context).stage();
			assertThat(refused.toCompletableFuture()).isCompletedExceptionally();
			assertThat(this.target.bodies).hasValue(1);
		});
	}

	@Test
	void waitBlocksNobody() {
		this.runner.run((context) -> {
			service(context).waiting("a");
			Set<Thread> before = LimitedThreads.now();
			List<CompletableFuture<String>> waiting = IntStream.range(0, 1000)
				.mapToObj((i) -> service(context).waiting("b"))
				.toList();
			assertThat(waiting).noneMatch(CompletableFuture::isDone);
			assertThat(limiter(context, "waiting").waiters()).isEqualTo(1000);
			assertThat(this.target.bodies).hasValue(1);
			assertThat(LimitedThreads.now()).isSubsetOf(before);
		});
	}

	@Test
	void bodyRunsAfterTheWaitOnTheApplicationTaskExecutor() {
		this.executorRunner.run((context) -> {
			service(context).waiting("a");
			CompletableFuture<String> waiting = service(context).waiting("b");
			this.time.advance(Duration.ofSeconds(1).minusNanos(1));
			assertThat(waiting).isNotDone();
			this.time.advanceNanos(1);
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("b");
			assertThat(this.target.threads.get(1).getName()).startsWith("application-");
		});
	}

	@Test
	void bodyRunsAfterTheWaitOnTheCommonPoolWithoutAnApplicationTaskExecutor() {
		this.runner.run((context) -> {
			service(context).waiting("a");
			CompletableFuture<String> waiting = service(context).waiting("b");
			this.time.advance(Duration.ofSeconds(1));
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("b");
			assertThat(this.target.threads.get(1)).isInstanceOfSatisfying(ForkJoinWorkerThread.class,
					(worker) -> assertThat(worker.getPool()).isSameAs(ForkJoinPool.commonPool()));
		});
	}

	@Test
	void taskDecoratorCarriesThreadLocalsOfTheCaller() {
		this.executorRunner.withBean(TaskDecorator.class, () -> CompletionStageTests::carryingUser).run((context) -> {
			service(context).user();
			USER.set("alice");
			CompletableFuture<String> waiting = service(context).user();
			USER.remove();
			this.time.advance(Duration.ofSeconds(1));
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("alice");
		});
	}

	@Test
	void threadLocalsDoNotTravelWithoutATaskDecorator() {
		this.executorRunner.run((context) -> {
			service(context).user();
			USER.set("alice");
			CompletableFuture<String> waiting = service(context).user();
			this.time.advance(Duration.ofSeconds(1));
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isNull();
			USER.remove();
		});
	}

	private static Runnable carryingUser(Runnable task) {
		String user = USER.get();
		return () -> {
			USER.set(user);
			try {
				task.run();
			}
			finally {
				USER.remove();
			}
		};
	}

	@Test
	void cancellingDuringAWaitGivesTheTokensBackAndNeverRunsTheBody() {
		this.runner.run((context) -> {
			service(context).waiting("a");
			CompletableFuture<String> waiting = service(context).waiting("b");
			this.time.advance(Duration.ofMillis(500));
			waiting.cancel(true);
			assertGivenBack(context);
			assertThat(waiting).isCancelled();
		});
	}

	@Test
	void completingDuringAWaitGivesTheTokensBackAndNeverRunsTheBody() {
		this.runner.run((context) -> {
			service(context).waiting("a");
			CompletableFuture<String> waiting = service(context).waiting("b");
			this.time.advance(Duration.ofMillis(500));
			waiting.completeExceptionally(new TimeoutException("as orTimeout does"));
			assertGivenBack(context);
		});
	}

	private void assertGivenBack(AssertableApplicationContext context) {
		assertThat(limiter(context, "waiting").waiters()).isZero();
		assertThat(this.time.waiters()).isZero();
		this.time.advance(Duration.ofMillis(500));
		assertThat(limiter(context, "waiting").bucket().availableTokens()).isEqualTo(1);
		assertThat(this.target.bodies).hasValue(1);
	}

	@Test
	void cancellingBeforeTheExecutorRunsTheBodyGivesTheTokensBackAndNeverRunsTheBody() {
		List<Runnable> tasks = new CopyOnWriteArrayList<>();
		this.runner.withBean("applicationTaskExecutor", Executor.class, () -> tasks::add).run((context) -> {
			service(context).waiting("a");
			CompletableFuture<String> waiting = service(context).waiting("b");
			this.time.advance(Duration.ofSeconds(1));
			assertThat(limiter(context, "waiting").waiters()).isZero();
			waiting.cancel(true);
			tasks.forEach(Runnable::run);
			assertThat(this.target.bodies).hasValue(1);
			assertThat(limiter(context, "waiting").bucket().availableTokens()).isEqualTo(1);
		});
	}

	@Test
	void stageOfTheBodyEndsTheCallAfterAWait() {
		this.runner.run((context) -> {
			service(context).later();
			CompletableFuture<String> waiting = service(context).later();
			this.time.advance(Duration.ofSeconds(1));
			SpinWait.until(() -> this.target.bodies.get() == 2);
			assertThat(waiting).isNotDone();
			this.target.end.complete("ended");
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("ended");
		});
	}

	@Test
	void exceptionThatTheBodyThrowsIsThrownWhenAdmittedAtOnce() {
		this.runner
			.run((context) -> assertThatIllegalStateException().isThrownBy(() -> service(context).throwing().join())
				.isSameAs(Service.THROWN));
	}

	@Test
	void exceptionThatTheBodyThrowsAfterAWaitFailsTheStageUnchanged() {
		this.runner.run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> service(context).throwing());
			CompletableFuture<String> waiting = service(context).throwing();
			this.time.advance(Duration.ofSeconds(1));
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
				.satisfies((ex) -> assertThat(ex.getCause()).isSameAs(Service.THROWN));
		});
	}

	@Test
	void failureOfTheStageOfTheBodyArrivesUnchanged() {
		this.runner.run((context) -> {
			assertThat(failure(service(context).failing())).isSameAs(Service.THROWN);
			CompletableFuture<String> waiting = service(context).failing();
			this.time.advance(Duration.ofSeconds(1));
			assertThat(failure(waiting)).isSameAs(Service.THROWN);
		});
	}

	private static Throwable failure(CompletableFuture<?> future) throws Exception {
		return future.handle((value, failure) -> failure).get(30, TimeUnit.SECONDS);
	}

	@Test
	void nullThatTheBodyReturnsAfterAWaitEndsTheCall() {
		this.runner.run((context) -> {
			assertThat(service(context).nothing()).isNull();
			CompletableFuture<String> waiting = service(context).nothing();
			this.time.advance(Duration.ofSeconds(1));
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isNull();
		});
	}

	@Test
	void waitThatDoesNotFitIsAFailedStageAtOnce() {
		this.runner.withPropertyValues("ratelimit.buckets.waiting.max-wait=999ms").run((context) -> {
			service(context).waiting("a");
			assertThat(service(context).waiting("b")).isCompletedExceptionally();
			assertThat(this.time.waiters()).isZero();
		});
	}

	@Test
	void waitThatNoLongerFitsIsAFailedStage() {
		this.runner.withPropertyValues("ratelimit.buckets.waiting.max-wait=1s").run((context) -> {
			service(context).waiting("a");
			CompletableFuture<String> waiting = service(context).waiting("b");
			limiter(context, "waiting").change(RateLimit.of(0.5, Duration.ofSeconds(1), 1));
			assertThat(failure(waiting)).isInstanceOf(RateLimitExceededException.class);
			assertThat(this.target.bodies).hasValue(1);
		});
	}

	@Test
	void fallbackReturnsAStage() {
		this.runner.run((context) -> {
			assertThat(service(context).withFallback("a")).isCompletedWithValue("a");
			assertThat(service(context).withFallback("b")).isCompletedWithValue("b refused by withFallback");
		});
	}

	@Test
	void fallbackOfAWaitThatNoLongerFitsReturnsAStage() {
		this.runner
			.withPropertyValues("ratelimit.buckets.withFallback.mode=wait",
					"ratelimit.buckets.withFallback.max-wait=1s")
			.run((context) -> {
				service(context).withFallback("a");
				CompletableFuture<String> waiting = service(context).withFallback("b");
				limiter(context, "withFallback").change(RateLimit.of(0.5, Duration.ofSeconds(1), 1));
				assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("b refused by withFallback");
			});
	}

	@Test
	void exceptionThatTheFallbackThrowsFailsTheStage() {
		this.runner.run((context) -> {
			service(context).withFallback("a");
			assertThat(failure(service(context).withFallback("fail"))).isSameAs(Service.THROWN);
		});
	}

	@Test
	void fallbackIsNotCalledForFailuresOfTheBody() {
		this.runner
			.run((context) -> assertThat(failure(service(context).failingWithFallback("a"))).isSameAs(Service.THROWN));
	}

	@Test
	void refusalByOneLimitGivesBackWhatTheOthersGranted() {
		this.runner.run((context) -> {
			assertThat(service(context).both()).isCompleted();
			assertThat(service(context).both()).isCompletedExceptionally();
			assertThat(limiter(context, "wide").bucket().availableTokens()).isEqualTo(9);
		});
	}

	@Test
	void waitForSeveralLimitsIsTheLongest() {
		this.runner.run((context) -> {
			service(context).bothWaiting();
			CompletableFuture<String> waiting = service(context).bothWaiting();
			this.time.advance(Duration.ofSeconds(2).minusNanos(1));
			assertThat(waiting).isNotDone();
			assertThat(this.target.bodies).hasValue(1);
			this.time.advanceNanos(1);
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("both");
		});
	}

	@Test
	void cancellingDuringAWaitGivesBackToAllLimits() {
		this.runner.run((context) -> {
			service(context).bothWaiting();
			CompletableFuture<String> waiting = service(context).bothWaiting();
			this.time.advance(Duration.ofMillis(1500));
			waiting.cancel(false);
			this.time.advance(Duration.ofMillis(500));
			assertThat(limiter(context, "fast").bucket().availableTokens()).isEqualTo(1);
			assertThat(limiter(context, "slow").bucket().availableTokens()).isEqualTo(1);
		});
	}

	@Test
	void keySeesTheRequestOfTheCaller() {
		this.runner.run((context) -> {
			USER.set("192.0.2.1");
			assertThat(service(context).byClient()).isCompleted();
			USER.set("192.0.2.2");
			assertThat(service(context).byClient()).isCompleted();
			assertThat(service(context).byClient()).isCompletedExceptionally();
			USER.remove();
		});
	}

	@Test
	void closingTheContextFailsTheStagesThatWait() {
		this.runner.run(this::failsTheStagesThatWait);
	}

	@Test
	void closingTheContextFailsTheStagesThatWaitForAnApplicationTaskExecutor() {
		this.executorRunner.run(this::failsTheStagesThatWait);
	}

	@Test
	void closingTheContextFailsTheStagesThatWaitThoughTheExecutorTakesNoMoreTasks() {
		this.runner.withBean("applicationTaskExecutor", Executor.class, () -> CompletionStageTests::reject)
			.run(this::failsTheStagesThatWait);
	}

	private void failsTheStagesThatWait(AssertableApplicationContext context) throws Exception {
		service(context).waiting("a");
		CompletableFuture<String> waiting = service(context).waiting("b");
		context.close();
		assertThat(failure(waiting)).isInstanceOf(RateLimitWaitInterruptedException.class);
		assertThat(this.target.bodies).hasValue(1);
	}

	@Test
	void executorThatTakesNoMoreTasksFailsTheStage() {
		this.runner.withBean("applicationTaskExecutor", Executor.class, () -> CompletionStageTests::reject)
			.run((context) -> {
				service(context).waiting("a");
				CompletableFuture<String> waiting = service(context).waiting("b");
				this.time.advance(Duration.ofSeconds(1));
				assertThat(failure(waiting)).isInstanceOf(RejectedExecutionException.class);
			});
	}

	private static void reject(Runnable task) {
		throw new RejectedExecutionException("full");
	}

	@Test
	void stageOfAKindOfItsOwnIsAnErrorAtStartup() {
		this.runner.withBean(OwnStageService.class)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasMessageContaining("OwnStageService.own")
				.isInstanceOfSatisfying(RateLimitConfigurationException.class,
						(ex) -> assertThat(ex.getFaults()).singleElement()
							.satisfies((fault) -> assertThat(fault.remedy()).contains("CompletableFuture"))));
	}

	@Test
	void ofHundredWaitingEverySecondCancelledTheOthersAreThroughInHalfTheTimeInOrder() {
		this.runner.run((context) -> {
			List<Integer> through = new CopyOnWriteArrayList<>();
			RateLimiter limiter = limiter(context, "hundred");
			service(context).hundred(-1);
			List<CompletableFuture<Integer>> waiting = IntStream.range(0, 100)
				.mapToObj((number) -> service(context).hundred(number))
				.toList();
			waiting.forEach((future) -> future.thenAccept(through::add));
			IntStream.range(0, 50).forEach((i) -> waiting.get(2 * i).cancel(true));
			assertThat(limiter.waiters()).isEqualTo(50);
			for (int passed = 1; passed <= 50; passed++) {
				this.time.advance(Duration.ofMillis(100));
				assertThat(limiter.waiters()).isEqualTo(50 - passed);
				int expected = passed;
				SpinWait.until(() -> through.size() == expected);
			}
			assertThat(through).containsExactlyElementsOf(IntStream.range(0, 50).mapToObj((i) -> 2 * i + 1).toList());
			assertThat(limiter.bucket().availableTokens()).isZero();
			assertThat(this.target.bodies).hasValue(51);
		});
	}

	private static Service service(AssertableApplicationContext context) {
		return context.getBean(Service.class);
	}

	private static RateLimiter limiter(AssertableApplicationContext context, String name) {
		return context.getBean(RateLimiterRegistry.class).get(name);
	}

	static class Service {

		static final IllegalStateException THROWN = new IllegalStateException("from the body");

		final AtomicInteger bodies = new AtomicInteger();

		final List<Thread> threads = new CopyOnWriteArrayList<>();

		final CompletableFuture<String> end = new CompletableFuture<>();

		private <T> CompletableFuture<T> run(T value) {
			this.bodies.incrementAndGet();
			this.threads.add(Thread.currentThread());
			return CompletableFuture.completedFuture(value);
		}

		@RateLimited(name = "refusing", rate = 1)
		CompletableFuture<String> refusing() {
			return run("value");
		}

		@RateLimited(name = "stage", rate = 1)
		CompletionStage<String> stage() {
			return run("value");
		}

		@RateLimited(name = "waiting", rate = 1, mode = RateLimitMode.WAIT)
		CompletableFuture<String> waiting(String text) {
			return run(text);
		}

		@RateLimited(name = "user", rate = 1, mode = RateLimitMode.WAIT)
		CompletableFuture<String> user() {
			return run(USER.get());
		}

		@RateLimited(name = "later", rate = 1, mode = RateLimitMode.WAIT)
		CompletableFuture<String> later() {
			this.bodies.incrementAndGet();
			return this.end;
		}

		@RateLimited(name = "throwing", rate = 1, mode = RateLimitMode.WAIT)
		CompletableFuture<String> throwing() {
			throw THROWN;
		}

		@RateLimited(name = "failing", rate = 1, mode = RateLimitMode.WAIT)
		CompletableFuture<String> failing() {
			return CompletableFuture.failedFuture(THROWN);
		}

		@RateLimited(name = "nothing", rate = 1, mode = RateLimitMode.WAIT)
		CompletableFuture<String> nothing() {
			return null;
		}

		@RateLimited(name = "withFallback", rate = 1, fallback = "instead")
		CompletableFuture<String> withFallback(String text) {
			return run(text);
		}

		@RateLimited(name = "failingWithFallback", rate = 1, fallback = "instead")
		CompletableFuture<String> failingWithFallback(String text) {
			return CompletableFuture.failedFuture(THROWN);
		}

		CompletableFuture<String> instead(String text, RateLimitExceededException refusal) {
			if (text.equals("fail")) {
				throw THROWN;
			}
			return CompletableFuture.completedFuture(text + " refused by " + refusal.getBucketName());
		}

		@RateLimited(name = "wide", rate = 10)
		@RateLimited(name = "narrow", rate = 1)
		CompletableFuture<String> both() {
			return run("both");
		}

		@RateLimited(name = "fast", rate = 1, mode = RateLimitMode.WAIT)
		@RateLimited(name = "slow", rate = 1, per = "2s", mode = RateLimitMode.WAIT)
		CompletableFuture<String> bothWaiting() {
			return run("both");
		}

		@RateLimited(name = "byClient", rate = 1, key = "clientIp")
		CompletableFuture<String> byClient() {
			return run("value");
		}

		@RateLimited(name = "hundred", rate = 10, capacity = 1, mode = RateLimitMode.WAIT)
		CompletableFuture<Integer> hundred(int number) {
			return run(number);
		}

	}

	static class OwnStageService {

		@RateLimited(name = "own", rate = 1)
		OwnStage own() {
			return new OwnStage();
		}

	}

	static class OwnStage extends CompletableFuture<String> {

	}

}
