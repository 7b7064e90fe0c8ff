package dev.ratelimit.aspect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.autoconfigure.RateLimitAspectAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitDecision;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import io.reactivex.rxjava3.core.BackpressureStrategy;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limited methods that return reactive types.
 */
class ReactiveTests {

	private final ManualTimeSource time = new ManualTimeSource();

	private final Service target = new Service();

	private CallContext caller;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
		.withBean(ManualTimeSource.class, () -> this.time)
		.withBean(CallContext.Source.class, () -> () -> this.caller)
		.withBean(Service.class, () -> this.target);

	private final ApplicationContextRunner waitingRunner = this.runner
		.withPropertyValues("ratelimit.buckets.kinds.mode=wait");

	static Stream<Named<Function<Service, Flux<Object>>>> kinds() {
		return Stream.of(kind("Mono", Service::mono), kind("Flux", Service::flux),
				kind("Publisher", Service::publisher),
				kind("Flow.Publisher", (service) -> JdkFlowAdapter.flowPublisherToFlux(service.flowPublisher())),
				kind("Flowable", Service::flowable),
				kind("Observable", (service) -> service.observable().toFlowable(BackpressureStrategy.BUFFER)),
				kind("Single", (service) -> service.single().toFlowable()),
				kind("Maybe", (service) -> service.maybe().toFlowable()),
				kind("Completable", (service) -> service.completable().toFlowable()));
	}

	private static Named<Function<Service, Flux<Object>>> kind(String name,
			Function<Service, Publisher<?>> invocation) {
		return Named.of(name, (service) -> Flux.from(invocation.apply(service)).cast(Object.class));
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void callDoesNotRunTheBody(Function<Service, Flux<Object>> kind) {
		this.runner.run((context) -> {
			kind.apply(service(context));
			assertThat(this.target.bodies).hasValue(0);
			assertThat(limiter(context, "kinds").bucket().availableTokens()).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void subscriptionRunsTheBodyAtOnceIfATokenIsThere(Function<Service, Flux<Object>> kind) {
		this.runner.run((context) -> {
			assertThat(kind.apply(service(context)).collectList().block()).isIn(List.of("value"), List.of());
			assertThat(this.target.bodies).hasValue(1);
			assertThat(this.target.threads).containsExactly(Thread.currentThread());
			assertThat(limiter(context, "kinds").bucket().availableTokens()).isZero();
		});
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void eachSubscriptionTakesItsTokens(Function<Service, Flux<Object>> kind) {
		this.runner.withPropertyValues("ratelimit.buckets.kinds.capacity=3").run((context) -> {
			Flux<Object> limited = kind.apply(service(context));
			for (int i = 1; i <= 3; i++) {
				limited.blockLast();
				assertThat(this.target.bodies).hasValue(i);
			}
			StepVerifier.create(limited).verifyError(RateLimitExceededException.class);
			assertThat(this.target.bodies).hasValue(3);
		});
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void refusalIsAnErrorSignal(Function<Service, Flux<Object>> kind) {
		this.runner.run((context) -> {
			kind.apply(service(context)).blockLast();
			Flux<Object> refused = kind.apply(service(context));
			StepVerifier.create(refused).verifyErrorSatisfies((error) -> {
				assertThat(error).isInstanceOf(RateLimitExceededException.class);
				RateLimitExceededException refusal = (RateLimitExceededException) error;
				assertThat(refusal.getBucketName()).isEqualTo("kinds");
				assertThat(refusal.getRetryAfter()).isEqualTo(Duration.ofSeconds(1));
			});
			assertThat(this.target.bodies).hasValue(1);
		});
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void waitIsADelayDuringWhichTheBodyDoesNotRun(Function<Service, Flux<Object>> kind) {
		this.waitingRunner.run((context) -> {
			Flux<Object> limited = kind.apply(service(context));
			limited.blockLast();
			AtomicInteger completed = new AtomicInteger();
			limited.doOnComplete(completed::incrementAndGet).subscribe();
			assertThat(limiter(context, "kinds").waiters()).isEqualTo(1);
			this.time.advance(Duration.ofSeconds(1).minusNanos(1));
			assertThat(limiter(context, "kinds").waiters()).isEqualTo(1);
			assertThat(this.target.bodies).hasValue(1);
			this.time.advanceNanos(1);
			SpinWait.until(() -> completed.get() == 1);
			assertThat(this.target.bodies).hasValue(2);
			assertThat(limiter(context, "kinds").waiters()).isZero();
		});
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void cancellingDuringAWaitGivesTheTokensBackAndNeverRunsTheBody(Function<Service, Flux<Object>> kind) {
		this.waitingRunner.run((context) -> {
			Flux<Object> limited = kind.apply(service(context));
			limited.blockLast();
			Disposable waiting = limited.subscribe();
			this.time.advance(Duration.ofMillis(500));
			waiting.dispose();
			assertThat(limiter(context, "kinds").waiters()).isZero();
			assertThat(this.time.waiters()).isZero();
			this.time.advance(Duration.ofMillis(500));
			assertThat(limiter(context, "kinds").bucket().availableTokens()).isEqualTo(1);
			assertThat(this.target.bodies).hasValue(1);
		});
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void cancellingBeforeTheSchedulerRunsTheBodyGivesTheTokensBackAndNeverRunsTheBody(
			Function<Service, Flux<Object>> kind) {
		CountDownLatch disposed = new CountDownLatch(1);
		Schedulers.onScheduleHook("late", (task) -> () -> {
			awaitUninterruptibly(disposed);
			task.run();
		});
		try {
			this.waitingRunner.run((context) -> {
				Flux<Object> limited = kind.apply(service(context));
				limited.blockLast();
				Disposable waiting = limited.subscribe();
				this.time.advance(Duration.ofSeconds(1));
				assertThat(limiter(context, "kinds").waiters()).isZero();
				waiting.dispose();
				assertThat(limiter(context, "kinds").bucket().availableTokens()).isEqualTo(1);
				disposed.countDown();
				limited.blockLast();
				assertThat(this.target.bodies).hasValue(2);
			});
		}
		finally {
			disposed.countDown();
			Schedulers.resetOnScheduleHook("late");
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		while (true) {
			try {
				latch.await();
				return;
			}
			catch (InterruptedException ex) {
				// Reactor interrupts what it cancels
			}
		}
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void closingTheContextEndsAWaitWithAnErrorSignal(Function<Service, Flux<Object>> kind) {
		this.waitingRunner.run((context) -> {
			Flux<Object> limited = kind.apply(service(context));
			limited.blockLast();
			StepVerifier.create(limited)
				.expectSubscription()
				.then(context::close)
				.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(RateLimitWaitInterruptedException.class)
					.hasMessageContaining("kinds"))
				.verify(Duration.ofSeconds(30));
			assertThat(this.target.bodies).hasValue(1);
		});
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void bodyDoesNotRunOnTheTimerThreadAfterAWait(Function<Service, Flux<Object>> kind) {
		this.waitingRunner.run((context) -> {
			Flux<Object> limited = kind.apply(service(context));
			limited.blockLast();
			limited.subscribe();
			Thread timer = Thread.currentThread();
			this.time.advance(Duration.ofSeconds(1));
			SpinWait.until(() -> this.target.threads.size() == 2);
			assertThat(this.target.threads.get(1)).isNotSameAs(timer);
		});
	}

	@Test
	void retryPaysAgain() {
		this.runner.run((context) -> {
			StepVerifier.create(service(context).failing().retry(2)).verifyErrorMessage("attempt 3");
			assertThat(limiter(context, "failing").bucket().availableTokens()).isEqualTo(7);
		});
	}

	@Test
	void retryIsRefusedWithoutTokens() {
		this.runner.withPropertyValues("ratelimit.buckets.failing.capacity=2").run((context) -> {
			StepVerifier.create(service(context).failing().retry(2)).verifyError(RateLimitExceededException.class);
			assertThat(this.target.bodies).hasValue(2);
		});
	}

	@Test
	void repeatPaysAgain() {
		this.waitingRunner.run((context) -> {
			List<String> values = new CopyOnWriteArrayList<>();
			service(context).mono().repeat(2).subscribe(values::add);
			assertThat(values).hasSize(1);
			this.time.advance(Duration.ofSeconds(1));
			SpinWait.until(() -> values.size() == 2 && this.time.waiters() == 1);
			this.time.advance(Duration.ofSeconds(1));
			SpinWait.until(() -> values.size() == 3);
		});
	}

	@Test
	void waitHoldsNoThread() {
		this.waitingRunner.run((context) -> {
			Mono<String> limited = service(context).mono();
			limited.block();
			Set<Thread> before = LimitedThreads.now();
			List<Disposable> waiting = IntStream.range(0, 1000).mapToObj((i) -> limited.subscribe()).toList();
			assertThat(limiter(context, "kinds").waiters()).isEqualTo(1000);
			assertThat(LimitedThreads.now()).isSubsetOf(before);
			waiting.forEach(Disposable::dispose);
			assertThat(limiter(context, "kinds").waiters()).isZero();
		});
	}

	@Test
	void waitThatDoesNotFitIsAnErrorSignalAtOnce() {
		this.waitingRunner.withPropertyValues("ratelimit.buckets.kinds.max-wait=999ms").run((context) -> {
			service(context).mono().block();
			StepVerifier.create(service(context).mono()).verifyError(RateLimitExceededException.class);
			assertThat(this.time.waiters()).isZero();
			this.time.advance(Duration.ofSeconds(1));
			assertThat(limiter(context, "kinds").bucket().availableTokens()).isEqualTo(1);
		});
	}

	@Test
	void placeOfACancelledWaiterIsFreeAtOnce() {
		this.waitingRunner.withPropertyValues("ratelimit.buckets.kinds.max-waiters=1").run((context) -> {
			Mono<String> limited = service(context).mono();
			limited.block();
			Disposable waiting = limited.subscribe();
			StepVerifier.create(limited).verifyError(RateLimitExceededException.class);
			waiting.dispose();
			StepVerifier.create(limited)
				.expectSubscription()
				.then(() -> this.time.advance(Duration.ofSeconds(1)))
				.expectNext("value")
				.expectComplete()
				.verify(Duration.ofSeconds(30));
		});
	}

	@Test
	void waitThatNoLongerFitsIsAnErrorSignal() {
		this.waitingRunner.withPropertyValues("ratelimit.buckets.kinds.max-wait=1s").run((context) -> {
			service(context).mono().block();
			StepVerifier.create(service(context).mono()).expectSubscription().then(() -> {
				RateLimiter limiter = limiter(context, "kinds");
				limiter.change(RateLimit.of(0.5, Duration.ofSeconds(1), 1));
			}).expectError(RateLimitExceededException.class).verify(Duration.ofSeconds(30));
			assertThat(this.target.bodies).hasValue(1);
		});
	}

	@Test
	void fallbackAnswersEachRefusedSubscription() {
		this.runner.run((context) -> {
			Mono<String> limited = service(context).withFallback("hello");
			assertThat(limited.block()).isEqualTo("hello");
			assertThat(limited.block()).isEqualTo("hello, refused by withFallback");
			assertThat(limited.block()).isEqualTo("hello, refused by withFallback");
			this.time.advance(Duration.ofSeconds(1));
			assertThat(limited.block()).isEqualTo("hello");
		});
	}

	@Test
	void fallbackIsNotCalledBeforeSubscription() {
		this.runner.run((context) -> {
			service(context).withFallback("hello").block();
			service(context).withFallback("hello");
			assertThat(this.target.fallbacks).hasValue(0);
		});
	}

	@Test
	void fallbackOfAFluxReturnsAFlux() {
		this.runner.run((context) -> {
			Flux<Integer> limited = service(context).fluxWithFallback();
			assertThat(limited.collectList().block()).containsExactly(1, 2, 3);
			assertThat(limited.collectList().block()).containsExactly(-1, -2, -3);
		});
	}

	@Test
	void fallbackOfASingleReturnsASingle() {
		this.runner.run((context) -> {
			Single<String> limited = service(context).singleWithFallback();
			assertThat(limited.blockingGet()).isEqualTo("value");
			assertThat(limited.blockingGet()).isEqualTo("instead");
		});
	}

	@Test
	void fallbackIsNotCalledForErrorsOfTheBody() {
		this.runner.run((context) -> {
			Mono<String> limited = service(context).failingWithFallback();
			StepVerifier.create(limited).verifyErrorMessage("from the body");
			assertThat(limited.block()).isEqualTo("instead");
		});
	}

	@Test
	void exceptionThatTheBodyThrowsIsAnErrorSignal() {
		this.runner.run((context) -> {
			Mono<String> limited = service(context).throwing();
			StepVerifier.create(limited).verifyErrorSatisfies((error) -> assertThat(error).isSameAs(Service.THROWN));
		});
	}

	@Test
	void keyIsEvaluatedAtEachSubscription() {
		this.runner.run((context) -> {
			List<String> users = new ArrayList<>(List.of("alice"));
			Mono<String> limited = service(context).keyed(users);
			limited.block();
			users.set(0, "bob");
			limited.block();
			assertThat(limiter(context, "keyed").bucket("alice").availableTokens()).isZero();
			assertThat(limiter(context, "keyed").bucket("bob").availableTokens()).isZero();
			StepVerifier.create(limited).verifyError(RateLimitExceededException.class);
		});
	}

	@Test
	void keySeesTheCallContextOfTheReactorContext() {
		this.runner.run((context) -> {
			Mono<String> limited = service(context).byClient();
			limited.contextWrite(Context.of(CallContext.class, new RecordingCallContext("192.0.2.1"))).block();
			limited.contextWrite(Context.of(CallContext.class, new RecordingCallContext("192.0.2.2"))).block();
			assertThat(limiter(context, "byClient").bucket("192.0.2.1").availableTokens()).isZero();
			assertThat(limiter(context, "byClient").bucket("192.0.2.2").availableTokens()).isZero();
			assertThat(limiter(context, "byClient").bucket().availableTokens()).isEqualTo(1);
		});
	}

	@Test
	void callContextOfTheReactorContextIsToldOfDecisions() {
		this.runner.run((context) -> {
			RecordingCallContext call = new RecordingCallContext("192.0.2.1");
			Mono<String> limited = service(context).byClient().contextWrite(Context.of(CallContext.class, call));
			limited.block();
			limited.onErrorComplete().block();
			assertThat(call.decisions()).extracting(RateLimitDecision::accepted).containsExactly(true, false);
		});
	}

	@Test
	void callContextOfTheSubscriptionWinsOverThatOfTheCallingThread() {
		this.caller = new RecordingCallContext("192.0.2.9");
		this.runner.run((context) -> {
			Mono<String> limited = service(context).byClient();
			limited.block();
			limited.contextWrite(Context.of(CallContext.class, new RecordingCallContext("192.0.2.1"))).block();
			assertThat(limiter(context, "byClient").bucket("192.0.2.9").availableTokens()).isZero();
			assertThat(limiter(context, "byClient").bucket("192.0.2.1").availableTokens()).isZero();
		});
	}

	@Test
	void bodySeesTheReactorContextAfterAWait() {
		this.runner.run((context) -> {
			Mono<String> limited = service(context).contextual().contextWrite(Context.of("user", "alice"));
			assertThat(limited.block()).isEqualTo("alice");
			StepVerifier.create(limited)
				.expectSubscription()
				.then(() -> this.time.advance(Duration.ofSeconds(1)))
				.expectNext("alice")
				.expectComplete()
				.verify(Duration.ofSeconds(30));
		});
	}

	@Test
	void refusalByOneLimitGivesBackWhatTheOthersGranted() {
		this.runner.run((context) -> {
			Mono<String> limited = service(context).both();
			limited.block();
			StepVerifier.create(limited)
				.verifyErrorSatisfies(
						(error) -> assertThat(error).isInstanceOfSatisfying(RateLimitExceededException.class,
								(refusal) -> assertThat(refusal.getBucketName()).isEqualTo("narrow")));
			assertThat(limiter(context, "wide").bucket().availableTokens()).isEqualTo(9);
		});
	}

	@Test
	void demandOfTheSubscriberReachesTheSource() {
		this.waitingRunner.run((context) -> {
			service(context).mono().block();
			List<Long> requests = new CopyOnWriteArrayList<>();
			this.target.source = Flux.just("a", "b", "c").doOnRequest(requests::add);
			StepVerifier.create(service(context).flux(), 1)
				.expectSubscription()
				.then(() -> this.time.advance(Duration.ofSeconds(1)))
				.expectNext("a")
				.thenRequest(2)
				.expectNext("b", "c")
				.expectComplete()
				.verify(Duration.ofSeconds(30));
			assertThat(requests).containsExactly(1L, 2L);
		});
	}

	@Test
	void cancellingAfterTheBodyRanGivesNothingBack() {
		this.runner.run((context) -> {
			this.target.source = Flux.never();
			service(context).flux().subscribe().dispose();
			assertThat(this.target.bodies).hasValue(1);
			assertThat(limiter(context, "kinds").bucket().availableTokens()).isZero();
		});
	}

	@Test
	void ofHundredWaitingEverySecondCancelledTheOthersAreThroughInHalfTheTimeInOrder() {
		this.runner.run((context) -> {
			List<Integer> through = new CopyOnWriteArrayList<>();
			RateLimiter limiter = limiter(context, "hundred");
			service(context).hundred(-1).block();
			List<Disposable> waiting = IntStream.range(0, 100)
				.mapToObj((number) -> service(context).hundred(number).subscribe(through::add))
				.toList();
			assertThat(limiter.waiters()).isEqualTo(100);
			IntStream.range(0, 50).forEach((i) -> waiting.get(2 * i).dispose());
			assertThat(limiter.waiters()).isEqualTo(50);
			for (int passed = 1; passed <= 50; passed++) {
				this.time.advance(Duration.ofMillis(100).minusNanos(1));
				assertThat(limiter.waiters()).isEqualTo(51 - passed);
				this.time.advanceNanos(1);
				assertThat(limiter.waiters()).isEqualTo(50 - passed);
				int expected = passed;
				SpinWait.until(() -> through.size() == expected);
			}
			assertThat(through).containsExactlyElementsOf(IntStream.range(0, 50).mapToObj((i) -> 2 * i + 1).toList());
			assertThat(limiter.bucket().availableTokens()).isZero();
			assertThat(this.time.waiters()).isZero();
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

		static final IllegalStateException THROWN = new IllegalStateException("thrown");

		final AtomicInteger bodies = new AtomicInteger();

		final AtomicInteger fallbacks = new AtomicInteger();

		final List<Thread> threads = new CopyOnWriteArrayList<>();

		Flux<String> source = Flux.just("value");

		private Flux<String> run() {
			this.bodies.incrementAndGet();
			this.threads.add(Thread.currentThread());
			return this.source;
		}

		@RateLimited(name = "kinds", rate = 1)
		Mono<String> mono() {
			return run().next();
		}

		@RateLimited("kinds")
		Flux<String> flux() {
			return run();
		}

		@RateLimited("kinds")
		Publisher<String> publisher() {
			return run();
		}

		@RateLimited("kinds")
		Flow.Publisher<String> flowPublisher() {
			return JdkFlowAdapter.publisherToFlowPublisher(run());
		}

		@RateLimited("kinds")
		Flowable<String> flowable() {
			return Flowable.fromPublisher(run());
		}

		@RateLimited("kinds")
		Observable<String> observable() {
			return Observable.fromPublisher(run());
		}

		@RateLimited("kinds")
		Single<String> single() {
			return Single.fromPublisher(run());
		}

		@RateLimited("kinds")
		Maybe<String> maybe() {
			return Maybe.fromPublisher(run());
		}

		@RateLimited("kinds")
		Completable completable() {
			return Completable.fromPublisher(run());
		}

		@RateLimited(name = "failing", rate = 10)
		Mono<String> failing() {
			return Mono.error(new IllegalStateException("attempt " + this.bodies.incrementAndGet()));
		}

		@RateLimited(name = "withFallback", rate = 1, fallback = "instead")
		Mono<String> withFallback(String text) {
			return Mono.just(text);
		}

		Mono<String> instead(String text, RateLimitExceededException refusal) {
			this.fallbacks.incrementAndGet();
			return Mono.just(text + ", refused by " + refusal.getBucketName());
		}

		@RateLimited(name = "fluxWithFallback", rate = 1, fallback = "negative")
		Flux<Integer> fluxWithFallback() {
			return Flux.just(1, 2, 3);
		}

		Flux<Integer> negative() {
			return Flux.just(-1, -2, -3);
		}

		@RateLimited(name = "singleWithFallback", rate = 1, fallback = "otherSingle")
		Single<String> singleWithFallback() {
			return Single.just("value");
		}

		Single<String> otherSingle() {
			return Single.just("instead");
		}

		@RateLimited(name = "failingWithFallback", rate = 1, fallback = "otherMono")
		Mono<String> failingWithFallback() {
			return Mono.error(new IllegalStateException("from the body"));
		}

		Mono<String> otherMono() {
			return Mono.just("instead");
		}

		@RateLimited(name = "throwing", rate = 1)
		Mono<String> throwing() {
			throw THROWN;
		}

		@RateLimited(name = "keyed", rate = 1, key = "#users[0]")
		Mono<String> keyed(List<String> users) {
			return Mono.just("value");
		}

		@RateLimited(name = "byClient", rate = 1, key = "clientIp")
		Mono<String> byClient() {
			return Mono.just("value");
		}

		@RateLimited(name = "contextual", rate = 1, mode = RateLimitMode.WAIT)
		Mono<String> contextual() {
			return Mono.deferContextual((view) -> Mono.just(view.get("user")));
		}

		@RateLimited(name = "wide", rate = 10)
		@RateLimited(name = "narrow", rate = 1)
		Mono<String> both() {
			return Mono.just("value");
		}

		@RateLimited(name = "hundred", rate = 10, capacity = 1, mode = RateLimitMode.WAIT)
		Mono<Integer> hundred(int number) {
			this.bodies.incrementAndGet();
			return Mono.just(number);
		}

	}

}
