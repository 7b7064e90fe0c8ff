package dev.ratelimit.aspect;

import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.Reservation;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.ratelimit.aspect.Limits.available;
import static dev.ratelimit.aspect.Limits.passes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many buckets of keys are kept, and for how long.
 */
class KeyedBucketsTests {

	private static final long MEBIBYTE = 1 << 20;

	/**
	 * More than a call makes of the clock.
	 */
	private static final int READINGS = 15;

	/**
	 * How exactly Caffeine keeps time when it lets entries go.
	 */
	private static final Duration TICK = Duration.ofSeconds(2);

	private final ManualTimeSource time = new ManualTimeSource();

	private final ApplicationContextRunner runner = Limits.runner(this.time).withBean(Api.class);

	@Test
	void staysWithinABoundOfKeysAndOfHeapForAMillionKeys() {
		this.runner.withPropertyValues("ratelimit.buckets.api.max-keys=100000").run((context) -> {
			Api api = context.getBean(Api.class);
			api.call("warm-up");
			long before = usedHeap();
			for (int i = 0; i < 1_000_000; i++) {
				api.call("user-" + i);
			}
			assertThat(limiter(context).keys()).isBetween(50_000L, 100_000L);
			assertThat(usedHeap() - before).isLessThan(64 * MEBIBYTE);
		});
	}

	@Test
	void keepsAHundredThousandKeysUnlessToldOtherwise() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			for (int i = 0; i < 100_500; i++) {
				api.call("user-" + i);
			}
			assertThat(limiter(context).keys()).isEqualTo(100_000);
		});
	}

	@Test
	void keepsOnlyTheHashOfALongKey() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.call("warm-up");
			String tail = "x".repeat(10_000);
			long before = usedHeap();
			for (int i = 0; i < 5_000; i++) {
				api.call(i + tail);
			}
			assertThat(limiter(context).keys()).isEqualTo(5_001);
			assertThat(usedHeap() - before).isLessThan(8 * MEBIBYTE);
		});
	}

	@Test
	void letsABucketGoThatHasBeenFullForAsLongAsItTakesToFill() {
		this.runner.run((context) -> {
			context.getBean(Api.class).call("alice");
			assertThat(limiter(context).keys()).isEqualTo(1);
			this.time.advance(Duration.ofSeconds(1 + 10).plus(TICK));
			assertThat(limiter(context).keys()).isZero();
		});
	}

	@Test
	void letsTheBucketOfARefusedCallGoToo() {
		this.runner.run((context) -> {
			passes(() -> context.getBean(Api.class).call("alice"));
			this.time.advance(Duration.ofSeconds(10 + 10).plus(TICK));
			assertThat(limiter(context).keys()).isZero();
		});
	}

	@Test
	void keepsABucketUntilItIsFull() {
		this.runner.run((context) -> {
			assertThat(passes(() -> context.getBean(Api.class).call("alice"))).isEqualTo(10);
			this.time.advance(Duration.ofSeconds(10).minusNanos(1));
			assertThat(limiter(context).keys()).isEqualTo(1);
			assertThat(passes(() -> context.getBean(Api.class).call("alice"))).isEqualTo(9);
		});
	}

	@Test
	void isFullWhenItComesBackAfterItHasGone() {
		this.runner.run((context) -> {
			passes(() -> context.getBean(Api.class).call("alice"));
			this.time.advance(Duration.ofHours(1));
			assertThat(passes(() -> context.getBean(Api.class).call("alice"))).isEqualTo(10);
		});
	}

	@Test
	void keepsABucketThatCallsWaitFor() {
		this.runner.run((context) -> {
			TokenBucket bucket = limiter(context).bucket("alice");
			passes(() -> context.getBean(Api.class).call("alice"));
			List<Reservation> waiting = new ArrayList<>();
			for (int i = 0; i < 30; i++) {
				waiting.add(bucket.reserve(1, Duration.ofHours(1)));
			}
			this.time.advance(Duration.ofSeconds(25));
			assertThat(limiter(context).keys()).isEqualTo(1);
			assertThat(passes(() -> context.getBean(Api.class).call("alice"))).isZero();
			assertThat(waiting.get(29).granted()).isTrue();
			assertThat(bucket.reserve(1, Duration.ofHours(1)).waitTime()).isEqualTo(Duration.ofSeconds(6));
		});
	}

	@Test
	void keepsABucketThatIsNotFullWhileThereIsRoom() {
		this.runner.withPropertyValues("ratelimit.buckets.api.max-keys=10").run((context) -> {
			Api api = context.getBean(Api.class);
			passes(() -> api.call("alice"));
			for (int i = 0; i < 30; i++) {
				limiter(context).bucket("alice").reserve(10, Duration.ofHours(1));
			}
			for (int i = 0; i < 20; i++) {
				api.call("visitor-" + i);
				this.time.advance(Duration.ofSeconds(12));
			}
			assertThat(limiter(context).keys()).isEqualTo(1);
			assertThat(passes(() -> api.call("alice"))).isZero();
		});
	}

	@Test
	void takesTheBucketOfALookForNoBucket() {
		this.runner.run((context) -> {
			assertThat(available(context, "api", "alice")).isEqualTo(10);
			assertThat(limiter(context).keys()).isZero();
		});
	}

	@Test
	void warnsOnceThatItDropsABucketThatIsNotFullAndCountsThem() {
		try (Warnings warnings = new Warnings()) {
			this.runner.withPropertyValues("ratelimit.buckets.api.max-keys=10").run((context) -> {
				for (int i = 0; i < 1_000; i++) {
					context.getBean(Api.class).call("user-" + i);
				}
				assertThat(limiter(context).keys()).isEqualTo(10);
				assertThat(limiter(context).dropped()).isEqualTo(990);
			});
			assertThat(warnings.messages).hasSize(1);
			assertThat(warnings.messages.get(0)).contains("'api'", "10", "ratelimit.buckets.api.max-keys");
		}
	}

	@Test
	void doesNotWarnThatFullBucketsGo() {
		try (Warnings warnings = new Warnings()) {
			this.runner.withPropertyValues("ratelimit.buckets.api.max-keys=10").run((context) -> {
				for (int i = 0; i < 1_000; i++) {
					context.getBean(Api.class).call("user-" + i);
					this.time.advance(Duration.ofSeconds(2));
				}
				assertThat(limiter(context).dropped()).isZero();
			});
			assertThat(warnings.messages).isEmpty();
		}
	}

	/**
	 * Between two readings of the clock the time of a whole life of a bucket passes, and
	 * another call comes, at every reading that a call makes.
	 */
	@Test
	void letsNoCallThroughTwiceWhenABucketGoesMeanwhile() {
		StumblingTimeSource stumbling = new StumblingTimeSource(this.time);
		new ApplicationContextRunner().withConfiguration(Limits.autoConfigurations())
			.withBean(TimeSource.class, () -> stumbling)
			.withBean(Api.class)
			.run((context) -> {
				Api api = context.getBean(Api.class);
				for (int late = 1; late <= READINGS; late++) {
					for (int other = late; other <= READINGS; other++) {
						String key = late + " " + other;
						AtomicInteger passed = new AtomicInteger();
						Runnable call = () -> passed.addAndGet(passesOnce(() -> api.single(key)) ? 1 : 0);
						call.run();
						Thread another = new Thread(call);
						stumbling.at(late, () -> this.time.advance(Duration.ofSeconds(3)));
						stumbling.at(other, () -> runOrBlock(another));
						call.run();
						stumbling.finish();
						another.join();
						assertThat(passed.get()).as("calls passed, key '%s'", key).isEqualTo(2);
					}
				}
			});
	}

	private static RateLimiter limiter(BeanFactory context) {
		return context.getBean(RateLimiterRegistry.class).get("api");
	}

	private static boolean passesOnce(Runnable call) {
		try {
			call.run();
			return true;
		}
		catch (RateLimitExceededException ex) {
			return false;
		}
	}

	/**
	 * Lets a thread run until it has ended or cannot go on.
	 */
	private static void runOrBlock(Thread thread) {
		thread.start();
		while (thread.getState() == Thread.State.RUNNABLE) {
			Thread.yield();
		}
	}

	private static long usedHeap() {
		Runtime runtime = Runtime.getRuntime();
		long used = Long.MAX_VALUE;
		for (int i = 0; i < 3; i++) {
			System.gc();
			used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
		}
		return used;
	}

	static class Api {

		@RateLimited(name = "api", rate = 1, capacity = 10, key = "#user")
		void call(String user) {
		}

		@RateLimited(name = "single", rate = 1, key = "#user")
		void single(String user) {
		}

	}

	/**
	 * A clock at whose readings by the thread of the test something happens.
	 */
	private static final class StumblingTimeSource implements TimeSource {

		private final TimeSource timeSource;

		private final Thread thread = Thread.currentThread();

		private final Map<Integer, List<Runnable>> events = new TreeMap<>();

		private int readings;

		private StumblingTimeSource(TimeSource timeSource) {
			this.timeSource = timeSource;
		}

		private void at(int reading, Runnable event) {
			this.readings = 0;
			this.events.computeIfAbsent(reading, (absent) -> new ArrayList<>()).add(event);
		}

		private void finish() {
			List<Runnable> left = this.events.values().stream().flatMap(List::stream).toList();
			this.events.clear();
			left.forEach(Runnable::run);
		}

		@Override
		public long nanos() {
			if (Thread.currentThread() == this.thread && !this.events.isEmpty()) {
				List<Runnable> due = this.events.remove(++this.readings);
				if (due != null) {
					due.forEach(Runnable::run);
				}
			}
			return this.timeSource.nanos();
		}

		@Override
		public void parkUntil(long instant) {
			this.timeSource.parkUntil(instant);
		}

		@Override
		public Scheduled runAt(long instant, Runnable task) {
			return this.timeSource.runAt(instant, task);
		}

	}

	/**
	 * What is logged as a warning, whatever console the log has been given.
	 */
	private static final class Warnings extends Handler implements AutoCloseable {

		private final List<String> messages = new CopyOnWriteArrayList<>();

		private final Logger logger = Logger.getLogger("dev.ratelimit");

		private Warnings() {
			this.logger.addHandler(this);
		}

		@Override
		public void publish(LogRecord record) {
			if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
				this.messages.add(MessageFormat.format(record.getMessage(), record.getParameters()));
			}
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
			this.logger.removeHandler(this);
		}

	}

}
