package dev.ratelimit.aspect;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.autoconfigure.RateLimitAspectAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import kotlin.Unit;
import kotlinx.coroutines.flow.Flow;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Limited suspending functions, and functions that return a Kotlin {@link Flow}.
 */
class KotlinTests {

	private final ManualTimeSource time = new ManualTimeSource();

	private final SuspendingService target = new SuspendingService();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
		.withBean(ManualTimeSource.class, () -> this.time)
		.withBean(CallContext.Source.class, () -> () -> null)
		.withBean(SuspendingService.class, () -> this.target);

	@Test
	void suspendingFunctionTakesATokenAndReturnsItsResult() {
		this.runner.run((context) -> {
			assertThat(Coroutines.refusing(service(context), "a")).isCompletedWithValue("a");
			assertThat(limiter(context, "refusing").bucket().availableTokens()).isZero();
		});
	}

	@Test
	void refusedSuspendingFunctionThrowsWithoutRunning() {
		this.runner.run((context) -> {
			Coroutines.refusing(service(context), "a");
			assertThat(failure(Coroutines.refusing(service(context), "b")))
				.isInstanceOfSatisfying(RateLimitExceededException.class, (refusal) -> {
					assertThat(refusal.getBucketName()).isEqualTo("refusing");
					assertThat(refusal.getRetryAfter()).isEqualTo(Duration.ofSeconds(1));
				});
			assertThat(this.target.getBodies()).hasValue(1);
		});
	}

	@Test
	void waitSuspendsTheCallerAndBlocksNoThread() {
		this.runner.run((context) -> {
			Coroutines.waiting(service(context), "a");
			CompletableFuture<String> waiting = Coroutines.waiting(service(context), "b");
			this.time.advance(Duration.ofSeconds(1).minusNanos(1));
			assertThat(limiter(context, "waiting").waiters()).isEqualTo(1);
			assertThat(this.target.getBodies()).hasValue(1);
			this.time.advanceNanos(1);
			assertThat(waiting.get(30, TimeUnit.SECONDS)).startsWith("b");
		});
	}

	@Test
	void bodySeesTheCoroutineContextOfTheCallerAfterAWait() {
		this.runner.run((context) -> {
			Coroutines.waiting(service(context), "a");
			CompletableFuture<String> waiting = Coroutines.waiting(service(context), "b");
			this.time.advance(Duration.ofSeconds(1));
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("b in the caller's coroutine");
		});
	}

	@Test
	void cancellingTheCoroutineDuringAWaitGivesTheTokensBackAndNeverRunsTheBody() {
		this.runner.run((context) -> {
			Coroutines.waiting(service(context), "a");
			CompletableFuture<String> waiting = Coroutines.waiting(service(context), "b");
			this.time.advance(Duration.ofMillis(500));
			waiting.cancel(true);
			assertThat(limiter(context, "waiting").waiters()).isZero();
			this.time.advance(Duration.ofMillis(500));
			assertThat(limiter(context, "waiting").bucket().availableTokens()).isEqualTo(1);
			assertThat(this.target.getBodies()).hasValue(1);
		});
	}

	@Test
	void closingTheContextEndsTheWaitOfASuspendingFunction() {
		this.runner.run((context) -> {
			Coroutines.waiting(service(context), "a");
			CompletableFuture<String> waiting = Coroutines.waiting(service(context), "b");
			context.close();
			assertThat(failure(waiting)).isInstanceOf(RateLimitWaitInterruptedException.class);
			assertThat(this.target.getBodies()).hasValue(1);
		});
	}

	@Test
	void exceptionOfASuspendingFunctionArrives() {
		this.runner.run((context) -> assertThat(failure(Coroutines.failing(service(context))))
			.isInstanceOf(IllegalArgumentException.class)
			.hasMessage("from the body"));
	}

	@Test
	void suspendingFunctionMayReturnNull() {
		this.runner.run((context) -> assertThat(Coroutines.nothing(service(context))).isCompletedWithValue(null));
	}

	@Test
	void suspendingFunctionMayReturnUnit() {
		this.runner.run((context) -> {
			assertThat(Coroutines.unit(service(context))).isCompletedWithValue(Unit.INSTANCE);
			assertThat(Coroutines.unit(service(context))).isCompletedExceptionally();
			assertThat(this.target.getBodies()).hasValue(1);
		});
	}

	@Test
	void keySeesTheArgumentsOfASuspendingFunction() {
		this.runner.run((context) -> {
			assertThat(Coroutines.keyed(service(context), "alice")).isCompletedWithValue("alice");
			assertThat(Coroutines.keyed(service(context), "bob")).isCompletedWithValue("bob");
			assertThat(Coroutines.keyed(service(context), "bob")).isCompletedExceptionally();
		});
	}

	@Test
	void keySeesTheCallContextOfTheCoroutine() {
		this.runner.run((context) -> {
			RecordingCallContext first = new RecordingCallContext("192.0.2.1");
			RecordingCallContext second = new RecordingCallContext("192.0.2.2");
			assertThat(Coroutines.client(service(context), first)).isCompletedWithValue("served");
			assertThat(Coroutines.client(service(context), second)).isCompletedWithValue("served");
			assertThat(Coroutines.client(service(context), second)).isCompletedExceptionally();
			assertThat(first.decisions()).hasSize(1);
			assertThat(second.decisions()).hasSize(2);
		});
	}

	@Test
	void suspendingFallbackAnswersARefusedSuspendingFunction() {
		this.runner.run((context) -> {
			assertThat(Coroutines.withFallback(service(context), "a")).isCompletedWithValue("a");
			assertThat(Coroutines.withFallback(service(context), "b")).isCompletedWithValue("b refused by fallback");
		});
	}

	@Test
	void functionThatReturnsAFlowRunsWhenItIsCollected() {
		this.runner.run((context) -> {
			Flow<String> flow = service(context).flow();
			assertThat(this.target.getBodies()).hasValue(0);
			assertThat(limiter(context, "flow").bucket().availableTokens()).isEqualTo(1);
			assertThat(collected(flow)).containsExactly("a", "b");
			assertThat(limiter(context, "flow").bucket().availableTokens()).isZero();
		});
	}

	@Test
	void eachCollectionOfAFlowTakesItsTokens() {
		this.runner.run((context) -> {
			Flow<String> flow = service(context).flow();
			collected(flow);
			assertThat(failure(Coroutines.collect(flow))).isInstanceOf(RateLimitExceededException.class);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(collected(flow)).containsExactly("a", "b");
			assertThat(this.target.getBodies()).hasValue(2);
		});
	}

	@Test
	void collectionOfAFlowWaits() {
		this.runner.run((context) -> {
			Flow<String> flow = service(context).waitingFlow();
			collected(flow);
			CompletableFuture<? extends List<String>> waiting = Coroutines.collect(flow);
			assertThat(limiter(context, "waitingFlow").waiters()).isEqualTo(1);
			assertThat(this.target.getBodies()).hasValue(1);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(List.of("a", "b"));
		});
	}

	@Test
	void cancellingTheCollectionOfAFlowDuringAWaitGivesTheTokensBack() {
		this.runner.run((context) -> {
			Flow<String> flow = service(context).waitingFlow();
			collected(flow);
			Coroutines.collect(flow).cancel(true);
			assertThat(limiter(context, "waitingFlow").waiters()).isZero();
			this.time.advance(Duration.ofSeconds(1));
			assertThat(limiter(context, "waitingFlow").bucket().availableTokens()).isEqualTo(1);
			assertThat(this.target.getBodies()).hasValue(1);
		});
	}

	@Test
	void suspendingFunctionThatReturnsAFlowIsLimited() {
		this.runner.run((context) -> {
			assertThat(collected(Coroutines.suspendingFlow(service(context)).get())).containsExactly("a", "b");
			CompletableFuture<? extends Flow<String>> refused = Coroutines.suspendingFlow(service(context));
			assertThat(failure(refused.isCompletedExceptionally() ? refused : Coroutines.collect(refused.get())))
				.isInstanceOf(RateLimitExceededException.class);
			assertThat(this.target.getBodies()).hasValue(1);
		});
	}

	@Test
	void functionThatReturnsADeferredWaitsWithoutBlocking() {
		this.runner.run((context) -> {
			assertThat(Coroutines.await(service(context).deferred())).isCompletedWithValue("value");
			CompletableFuture<String> waiting = Coroutines.await(service(context).deferred());
			assertThat(limiter(context, "deferred").waiters()).isEqualTo(1);
			assertThat(this.target.getBodies()).hasValue(1);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("value");
		});
	}

	@Test
	void suspendingFunctionIsAnErrorAtStartupWithoutKotlinxCoroutinesReactor() throws Exception {
		try (URLClassLoader without = classPathWithout("kotlinx-coroutines-reactor")) {
			Runnable startup = (Runnable) without.loadClass(Startup.class.getName())
				.getDeclaredConstructor()
				.newInstance();
			Thread.currentThread().setContextClassLoader(without);
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(startup::run)
				.satisfies((ex) -> assertThat(ex.getClass().getName())
					.isEqualTo(RateLimitConfigurationException.class.getName()))
				.withMessageContaining("SuspendingService.waiting")
				.withMessageContaining("kotlinx-coroutines-reactor");
		}
		finally {
			Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
		}
	}

	@Test
	void suspendingFunctionIsNoErrorAtStartupWithTheWholeClassPath() {
		new Startup().run();
	}

	/**
	 * Loads all anew from the class path without one artifact, as an application that
	 * does not have it would.
	 */
	private static URLClassLoader classPathWithout(String artifact) {
		URL[] urls = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !Path.of(entry).getFileName().toString().startsWith(artifact))
			.map(KotlinTests::url)
			.toArray(URL[]::new);
		return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
	}

	private static URL url(String entry) {
		try {
			return Path.of(entry).toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	private static List<String> collected(Flow<String> flow) throws Exception {
		return List.copyOf(Coroutines.collect(flow).get(30, TimeUnit.SECONDS));
	}

	private static Throwable failure(CompletableFuture<?> future) throws Exception {
		try {
			return new AssertionError("no failure but " + future.get(30, TimeUnit.SECONDS));
		}
		catch (ExecutionException ex) {
			return ex.getCause();
		}
	}

	private static SuspendingService service(AssertableApplicationContext context) {
		return context.getBean(SuspendingService.class);
	}

	private static RateLimiter limiter(AssertableApplicationContext context, String name) {
		return context.getBean(RateLimiterRegistry.class).get(name);
	}

	/**
	 * Startup of an application that limits suspending functions.
	 */
	public static final class Startup implements Runnable {

		@Override
		public void run() {
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
				context.register(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class);
				context.registerBean(CallContext.Source.class, () -> () -> null);
				context.registerBean(SuspendingService.class);
				context.refresh();
			}
		}

	}

}
