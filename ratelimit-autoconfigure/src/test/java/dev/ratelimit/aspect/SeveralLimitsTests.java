package dev.ratelimit.aspect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.ratelimit.aspect.Limits.available;
import static dev.ratelimit.aspect.Limits.passes;
import static dev.ratelimit.aspect.Limits.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Several limits on one call are all or nothing.
 */
@Timeout(60)
class SeveralLimitsTests {

	private final ManualTimeSource time = new ManualTimeSource();

	private final Journal journal = new Journal();

	private final List<Thread> threads = new ArrayList<>();

	private final ApplicationContextRunner runner = Limits.runner(this.time)
		.withBean(RateLimitListener.class, () -> this.journal)
		.withBean(Api.class);

	@Test
	void givesBackWhatARefusedCallHadTakenBefore() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::wideNarrow)).isEqualTo(3);
			assertThat(refusal(api::wideNarrow).getBucketName()).isEqualTo("narrow");
			assertThat(available(context, "wide")).isEqualTo(7);
			assertThat(available(context, "narrow")).isZero();
		});
	}

	@Test
	void takesNothingOfTheLimitsBehindTheOneThatRefuses() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::narrowWide)).isEqualTo(3);
			assertThat(refusal(api::narrowWide).getBucketName()).isEqualTo("narrow");
			assertThat(available(context, "wide")).isEqualTo(7);
		});
	}

	@Test
	void refusesWithTheLongestTimeUntilTheCallWouldPassInWhateverOrder() {
		this.runner.withBean(SlowAndFast.class).run((context) -> {
			SlowAndFast api = context.getBean(SlowAndFast.class);
			api.fastFirst();
			for (Runnable call : List.<Runnable>of(api::fastFirst, api::slowFirst)) {
				assertThat(refusal(call).getRetryAfter()).isEqualTo(Duration.ofSeconds(10));
				assertThat(refusal(call).getBucketName()).isEqualTo("sluggish");
			}
			this.time.advance(Duration.ofSeconds(10));
			api.slowFirst();
		});
	}

	@Test
	void givesBackTheWholePrice() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.priced();
			assertThat(available(context, "wide")).isEqualTo(6);
			assertThat(refusal(api::priced).getBucketName()).isEqualTo("narrow");
			assertThat(available(context, "wide")).isEqualTo(6);
			assertThat(available(context, "narrow")).isEqualTo(1);
		});
	}

	@Test
	void givesBackToTheBucketOfTheKey() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.perUserAndTotal("alice");
			api.perUserAndTotal("alice");
			api.perUserAndTotal("bob");
			assertThat(refusal(() -> api.perUserAndTotal("bob")).getBucketName()).isEqualTo("narrow");
			assertThat(available(context, "user", "alice")).isEqualTo(3);
			assertThat(available(context, "user", "bob")).isEqualTo(4);
			assertThat(available(context, "user")).isEqualTo(5);
		});
	}

	@Test
	void takesNothingWhereOneLimitCanNeverLetTheCallPass() {
		this.runner.run((context) -> {
			assertThat(refusal(() -> context.getBean(Api.class).dynamic(4)).getRetryAfter()).isNull();
			assertThat(available(context, "wide")).isEqualTo(10);
			assertThat(available(context, "narrow")).isEqualTo(3);
		});
	}

	@Test
	void takesTwiceFromABucketThatIsNamedTwice() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::twice)).isEqualTo(1);
			assertThat(available(context, "narrow")).isEqualTo(1);
		});
	}

	@Test
	void takesAllOrNothingUnderConcurrency() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			ExecutorService executor = Executors.newFixedThreadPool(4);
			try {
				List<Future<Integer>> callers = new ArrayList<>();
				for (int i = 0; i < 4; i++) {
					Runnable call = (i % 2 == 0) ? api::oneTwo : api::twoOne;
					callers.add(executor.submit(() -> passesOf(2_000, call)));
				}
				int passed = 0;
				for (Future<Integer> caller : callers) {
					passed += caller.get();
				}
				assertThat(available(context, "one")).isEqualTo(500 - passed);
				assertThat(available(context, "two")).isEqualTo(600 - 2 * passed);
				assertThat(passed + passesOf(2_000, api::twoOne)).isEqualTo(300);
				assertThat(available(context, "one")).isEqualTo(200);
				assertThat(available(context, "two")).isZero();
			}
			finally {
				executor.shutdownNow();
			}
		});
	}

	@Test
	void waitsForTheLimitThatTakesLongest() {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		Limits.runner(advancing).withBean(Api.class).run((context) -> {
			Api api = context.getBean(Api.class);
			api.fastSlow();
			api.fastSlow();
			assertThat(advancing.nanos()).isEqualTo(Duration.ofSeconds(10).toNanos());
			api.slowFast();
			assertThat(advancing.nanos()).isEqualTo(Duration.ofSeconds(20).toNanos());
			assertThat(available(context, "slow")).isZero();
			assertThat(available(context, "fast")).isEqualTo(1);
		});
	}

	@Test
	void doesNotWaitWhereAnotherLimitRefuses() {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		Limits.runner(advancing).withBean(Api.class).run((context) -> {
			Api api = context.getBean(Api.class);
			api.waitingRefusing();
			assertThat(refusal(api::waitingRefusing).getBucketName()).isEqualTo("refusing");
			assertThat(refusal(api::refusingWaiting).getBucketName()).isEqualTo("refusing");
			assertThat(advancing.nanos()).isZero();
			advancing.advance(Duration.ofSeconds(1));
			assertThat(available(context, "fast")).isEqualTo(1);
		});
	}

	@Test
	void givesBackWhereOneWaitDoesNotFit() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.impatient();
			assertThat(refusal(api::impatient)).satisfies((ex) -> {
				assertThat(ex.getBucketName()).isEqualTo("slow");
				assertThat(ex.getRetryAfter()).isEqualTo(Duration.ofSeconds(10));
			});
			assertThat(available(context, "wide")).isEqualTo(9);
			this.time.advance(Duration.ofSeconds(10));
			api.impatient();
		});
	}

	@Test
	void givesAllBackWhenItIsInterruptedWhileItWaits() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.fastSlow();
			FutureTask<Throwable> waiting = startWaiting(api::fastSlow);
			assertThat(context.getBean(RateLimiterRegistry.class).get("slow").waiters()).isEqualTo(1);
			this.threads.get(0).interrupt();
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isInstanceOf(RateLimitWaitInterruptedException.class);
			this.time.advance(Duration.ofSeconds(10));
			assertThat(available(context, "fast")).isEqualTo(1);
			assertThat(available(context, "slow")).isEqualTo(1);
			assertThat(context.getBean(RateLimiterRegistry.class).get("slow").waiters()).isZero();
			api.fastSlow();
		});
	}

	@Test
	void movesLaterCallsUpWhenOneIsInterrupted() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.fastSlow();
			FutureTask<Throwable> first = startWaiting(api::fastSlow);
			FutureTask<Throwable> second = startWaiting(api::fastSlow);
			this.threads.get(0).interrupt();
			assertThat(first.get(30, TimeUnit.SECONDS)).isInstanceOf(RateLimitWaitInterruptedException.class);
			this.time.advance(Duration.ofSeconds(10));
			assertThat(second.get(30, TimeUnit.SECONDS)).isNull();
		});
	}

	@Test
	void tellsTheListenerOfEveryLimitOnce() {
		this.runner.run((context) -> {
			context.getBean(Api.class).priced();
			assertThat(this.journal.entries).containsExactlyInAnyOrder("wide allowed 4", "narrow allowed 2");
		});
	}

	@Test
	void tellsTheListenerOnlyOfTheLimitThatRefuses() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.priced();
			this.journal.entries.clear();
			refusal(api::priced);
			assertThat(this.journal.entries).containsExactly("narrow rejected 2");
		});
	}

	@Test
	void tellsTheListenerOnlyOfTheLimitThatRefusesFirst() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			passes(api::narrowWide);
			this.journal.entries.clear();
			refusal(api::narrowWide);
			assertThat(this.journal.entries).containsExactly("narrow rejected 1");
		});
	}

	@Test
	void tellsTheListenerOfAWaitOfSeveralLimitsOncePerLimit() {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		Limits.runner(advancing)
			.withBean(RateLimitListener.class, () -> this.journal)
			.withBean(Api.class)
			.run((context) -> {
				Api api = context.getBean(Api.class);
				api.fastSlow();
				this.journal.entries.clear();
				api.fastSlow();
				assertThat(this.journal.entries).hasSize(2).contains("slow waited 1 PT10S");
				assertThat(this.journal.entries).filteredOn((entry) -> entry.startsWith("fast")).hasSize(1);
			});
	}

	@Test
	void tellsTheListenerOfAnInterruptedWaitAtMostOncePerLimit() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.fastSlow();
			this.journal.entries.clear();
			FutureTask<Throwable> waiting = startWaiting(api::fastSlow);
			this.threads.get(0).interrupt();
			waiting.get(30, TimeUnit.SECONDS);
			assertThat(this.journal.entries).contains("slow cancelled 1").doesNotHaveDuplicates();
			assertThat(this.journal.entries).allMatch((entry) -> entry.endsWith("cancelled 1"));
		});
	}

	@Test
	void tellsTheListenerOfAllLimitsOfAnInterruptedWait() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.slowWide();
			this.journal.entries.clear();
			FutureTask<Throwable> waiting = startWaiting(api::slowWide);
			this.threads.get(0).interrupt();
			waiting.get(30, TimeUnit.SECONDS);
			assertThat(this.journal.entries).containsExactlyInAnyOrder("slow cancelled 1", "wide cancelled 1");
		});
	}

	@Test
	void tellsTheListenerNothingOfAWaitThatAnotherLimitRefuses() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.waitingRefusing();
			this.journal.entries.clear();
			refusal(api::waitingRefusing);
			assertThat(this.journal.entries).containsExactly("refusing rejected 1");
		});
	}

	@Test
	void tellsTheListenerNothingOfAnUnlimitedKeyThatAnotherLimitRefuses() {
		this.runner
			.withPropertyValues("ratelimit.buckets.user.keys.vip.unlimited=true", "ratelimit.buckets.user.rate=5")
			.run((context) -> {
				Api api = context.getBean(Api.class);
				assertThat(passes(() -> api.perUserAndTotal("vip"))).isEqualTo(3);
				assertThat(this.journal.entries).filteredOn("user exempt 1"::equals).hasSize(3);
				this.journal.entries.clear();
				refusal(() -> api.perUserAndTotal("vip"));
				assertThat(this.journal.entries).containsExactly("narrow rejected 1");
			});
	}

	/**
	 * Starts a call, and returns what it threw or will throw when it waits.
	 */
	private FutureTask<Throwable> startWaiting(Runnable call) {
		FutureTask<Throwable> task = new FutureTask<>(() -> catchThrowable(call::run));
		int before = this.time.waiters();
		Thread thread = new Thread(task);
		this.threads.add(thread);
		thread.start();
		while (this.time.waiters() == before) {
			Thread.yield();
		}
		return task;
	}

	private static int passesOf(int calls, Runnable call) {
		int passed = 0;
		for (int i = 0; i < calls; i++) {
			try {
				call.run();
				passed++;
			}
			catch (RateLimitExceededException ex) {
				assertThat(ex.getRetryAfter()).isNotNull();
			}
		}
		return passed;
	}

	static class Api {

		@RateLimited(name = "wide", rate = 10)
		@RateLimited(name = "narrow", rate = 3)
		void wideNarrow() {
		}

		@RateLimited("narrow")
		@RateLimited("wide")
		void narrowWide() {
		}

		@RateLimited(name = "wide", tokens = "4")
		@RateLimited(name = "narrow", tokens = "2")
		void priced() {
		}

		@RateLimited(name = "wide", tokens = "#tokens")
		@RateLimited(name = "narrow", tokens = "#tokens")
		void dynamic(int tokens) {
		}

		@RateLimited(name = "user", rate = 5, key = "#user")
		@RateLimited("narrow")
		void perUserAndTotal(String user) {
		}

		@RateLimited("narrow")
		@RateLimited("narrow")
		void twice() {
		}

		@RateLimited(name = "one", rate = 500)
		@RateLimited(name = "two", rate = 600, tokens = "2")
		void oneTwo() {
		}

		@RateLimited(name = "two", tokens = "2")
		@RateLimited("one")
		void twoOne() {
		}

		@RateLimited(name = "fast", rate = 1, mode = RateLimitMode.WAIT)
		@RateLimited(name = "slow", rate = 1, per = "10s", mode = RateLimitMode.WAIT)
		void fastSlow() {
		}

		@RateLimited(name = "slow", mode = RateLimitMode.WAIT)
		@RateLimited(name = "fast", mode = RateLimitMode.WAIT)
		void slowFast() {
		}

		@RateLimited(name = "fast", mode = RateLimitMode.WAIT)
		@RateLimited(name = "refusing", rate = 1, per = "1d")
		void waitingRefusing() {
		}

		@RateLimited("refusing")
		@RateLimited(name = "fast", mode = RateLimitMode.WAIT)
		void refusingWaiting() {
		}

		@RateLimited(name = "slow", mode = RateLimitMode.WAIT)
		@RateLimited("wide")
		void slowWide() {
		}

		@RateLimited("wide")
		@RateLimited(name = "slow", mode = RateLimitMode.WAIT, maxWait = "9s")
		void impatient() {
		}

	}

	private static final class Journal implements RateLimitListener {

		private final List<String> entries = Collections.synchronizedList(new ArrayList<>());

		@Override
		public void allowed(RateLimiter limiter, String key, long tokens) {
			this.entries.add(limiter.name() + " allowed " + tokens);
		}

		@Override
		public void waited(RateLimiter limiter, String key, long tokens, Duration waited) {
			this.entries.add(limiter.name() + " waited " + tokens + " " + waited);
		}

		@Override
		public void rejected(RateLimiter limiter, String key, long tokens) {
			this.entries.add(limiter.name() + " rejected " + tokens);
		}

		@Override
		public void cancelled(RateLimiter limiter, String key, long tokens) {
			this.entries.add(limiter.name() + " cancelled " + tokens);
		}

		@Override
		public void exempt(RateLimiter limiter, String key, long tokens) {
			this.entries.add(limiter.name() + " exempt " + tokens);
		}

	}

	static class SlowAndFast {

		@RateLimited(name = "quick", rate = 1)
		@RateLimited(name = "sluggish", rate = 0.1)
		void fastFirst() {
		}

		@RateLimited(name = "sluggish", rate = 0.1)
		@RateLimited(name = "quick", rate = 1)
		void slowFirst() {
		}

	}

}
