package dev.ratelimit.aspect;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.ratelimit.aspect.Limits.passes;
import static dev.ratelimit.aspect.Limits.refusal;
import static dev.ratelimit.aspect.Limits.refusingBucket;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which calls share a bucket: those that are meant to, and never any by accident.
 */
class IdentityTests {

	private final ApplicationContextRunner runner = Limits.runner();

	@Test
	void keepsMethodsOfTheSameNameInTwoBeansApart() {
		this.runner.withBean(Orders.class).withBean(Invoices.class).run((context) -> {
			assertThat(passes(context.getBean(Orders.class)::place)).isEqualTo(1);
			assertThat(passes(context.getBean(Invoices.class)::place)).isEqualTo(2);
		});
	}

	@Test
	void keepsBeansOfTwoSubclassesApart() {
		this.runner.withBean(BookOrders.class).withBean(MusicOrders.class).run((context) -> {
			assertThat(passes(context.getBean(BookOrders.class)::place)).isEqualTo(1);
			assertThat(passes(context.getBean(MusicOrders.class)::place)).isEqualTo(1);
			assertThat(refusingBucket(context.getBean(MusicOrders.class)::place)).isEqualTo("MusicOrders.place");
		});
	}

	@Test
	void sharesTheBucketOfTwoBeansOfOneClass() {
		this.runner.withBean("one", Orders.class).withBean("two", Orders.class).run((context) -> {
			assertThat(passes(context.getBean("one", Orders.class)::place)).isEqualTo(1);
			assertThat(passes(context.getBean("two", Orders.class)::place)).isZero();
		});
	}

	@Test
	void tellsOverloadsToChooseNames() {
		this.runner.withBean(Overloads.class).run((context) -> {
			List<Fault> faults = Limits.faults(context);
			assertThat(faults).hasSize(1);
			assertThat(faults.get(0).problem()).contains(Overloads.class.getName() + ".find(String)",
					Overloads.class.getName() + ".find(long)", "'Overloads.find'");
			assertThat(faults.get(0).remedy()).containsIgnoringCase("name");
		});
	}

	@Test
	void keepsOverloadsWithNamesApart() {
		this.runner.withBean(NamedOverloads.class).run((context) -> {
			NamedOverloads bean = context.getBean(NamedOverloads.class);
			assertThat(passes(() -> bean.find("a"))).isEqualTo(1);
			assertThat(passes(() -> bean.find(1))).isEqualTo(2);
		});
	}

	@Test
	void acceptsAnOverloadThatIsNotLimited() {
		this.runner.withBean(OneOverload.class).run((context) -> {
			OneOverload bean = context.getBean(OneOverload.class);
			assertThat(passes(() -> bean.find("a"))).isEqualTo(1);
			assertThat(passes(() -> bean.find(1))).isEqualTo(Limits.UNLIMITED);
		});
	}

	@Test
	void acceptsOverloadsThatShareTheBucketOfTheirClass() {
		this.runner.withBean(OverloadsOfClass.class).run((context) -> {
			OverloadsOfClass bean = context.getBean(OverloadsOfClass.class);
			bean.find("a");
			bean.find(1);
			assertThat(refusal(() -> bean.find("a")).getBucketName()).isEqualTo("OverloadsOfClass");
		});
	}

	@Test
	void acceptsOverloadsThatShareANameOnPurpose() {
		this.runner.withBean(SharingOverloads.class).run((context) -> {
			SharingOverloads bean = context.getBean(SharingOverloads.class);
			bean.find("a");
			bean.find(1);
			assertThat(refusal(() -> bean.find("a")).getBucketName()).isEqualTo("find");
		});
	}

	@Test
	void tellsClassesOfTheSameSimpleNameToChooseNames() {
		this.runner.withBean("first", First.Service.class)
			.withBean("second", Second.Service.class)
			.run((context) -> assertThat(Limits.report(context)).contains(First.Service.class.getName(),
					Second.Service.class.getName(), "'Service.call'", "name"));
	}

	@Test
	void tellsLimitedClassesOfTheSameSimpleNameToChooseNames() {
		this.runner.withBean("first", First.Limited.class)
			.withBean("second", Second.Limited.class)
			.run((context) -> assertThat(Limits.report(context)).contains(First.Limited.class.getName(),
					Second.Limited.class.getName(), "'Limited'", "name"));
	}

	@Test
	void numbersTheUnnamedLimitsOfAMethod() {
		this.runner.withBean(Numbered.class)
			.run((context) -> assertThat(names(context.getBean(RateLimiterRegistry.class)))
				.containsExactlyInAnyOrder("Numbered.three", "Numbered.three-2", "Numbered.three-3"));
	}

	@Test
	void asksNumberedLimitsForTheirOwnTokens() {
		this.runner.withBean(Numbered.class).run((context) -> {
			context.getBean(Numbered.class).three();
			assertThat(Limits.available(context, "Numbered.three")).isEqualTo(6);
			assertThat(Limits.available(context, "Numbered.three-2")).isEqualTo(7);
			assertThat(Limits.available(context, "Numbered.three-3")).isEqualTo(8);
		});
	}

	@Test
	void countsOnlyUnnamedLimits() {
		this.runner.withBean(NamedAmongUnnamed.class)
			.run((context) -> assertThat(names(context.getBean(RateLimiterRegistry.class)))
				.containsExactlyInAnyOrder("NamedAmongUnnamed.call", "named", "NamedAmongUnnamed.call-2"));
	}

	@Test
	void keepsTheKeyNullAndTheTextNullApart() {
		this.runner.withBean(Keyed.class).run((context) -> {
			Keyed bean = context.getBean(Keyed.class);
			assertThat(passes(() -> bean.one(null))).isEqualTo(1);
			assertThat(passes(() -> bean.one("null"))).isEqualTo(1);
			assertThat(passes(() -> bean.one(null))).isZero();
		});
	}

	@Test
	void keepsPairsOfKeysApartThatReadTheSame() {
		this.runner.withBean(Keyed.class).run((context) -> {
			Keyed bean = context.getBean(Keyed.class);
			assertThat(passes(() -> bean.two("ab", "c"))).isEqualTo(1);
			assertThat(passes(() -> bean.two("a", "bc"))).isEqualTo(1);
			assertThat(passes(() -> bean.two("", "abc"))).isEqualTo(1);
			assertThat(passes(() -> bean.two("abc", ""))).isEqualTo(1);
			assertThat(passes(() -> bean.two("a", "bc"))).isZero();
		});
	}

	@Test
	void keepsPairsOfKeysApartThatHoldNullOrPunctuation() {
		this.runner.withBean(Keyed.class).run((context) -> {
			Keyed bean = context.getBean(Keyed.class);
			assertThat(passes(() -> bean.two("a", null))).isEqualTo(1);
			assertThat(passes(() -> bean.two("a", "null"))).isEqualTo(1);
			assertThat(passes(() -> bean.two("a", ""))).isEqualTo(1);
			assertThat(passes(() -> bean.two("a", "-"))).isEqualTo(1);
			assertThat(passes(() -> bean.two("a, b", "c"))).isEqualTo(1);
			assertThat(passes(() -> bean.two("a", "b, c"))).isEqualTo(1);
			assertThat(passes(() -> bean.two("1:a", "b"))).isEqualTo(1);
			assertThat(passes(() -> bean.two("1", "a1:b"))).isEqualTo(1);
			assertThat(passes(() -> bean.two(null, "a"))).isEqualTo(1);
		});
	}

	@Test
	void keepsNestedPairsOfKeysApart() {
		this.runner.withBean(Keyed.class).run((context) -> {
			Keyed bean = context.getBean(Keyed.class);
			assertThat(passes(() -> bean.list(List.of(List.of("a", "b"), List.of("c"))))).isEqualTo(1);
			assertThat(passes(() -> bean.list(List.of(List.of("a"), List.of("b", "c"))))).isEqualTo(1);
			assertThat(passes(() -> bean.list(List.of("a", "b", "c")))).isEqualTo(1);
		});
	}

	@Test
	void keepsTheSameKeyOfTwoLimitsApart() {
		this.runner.withBean(Keyed.class).run((context) -> {
			Keyed bean = context.getBean(Keyed.class);
			assertThat(passes(() -> bean.one("alice"))).isEqualTo(1);
			assertThat(passes(() -> bean.another("alice"))).isEqualTo(2);
		});
	}

	@Test
	void keepsANameAndAKeyApartThatReadTheSameAsAnother() {
		this.runner.withBean(ReadingTheSame.class).run((context) -> {
			ReadingTheSame bean = context.getBean(ReadingTheSame.class);
			assertThat(passes(() -> bean.first("bc"))).isEqualTo(1);
			assertThat(passes(() -> bean.second("c"))).isEqualTo(1);
		});
	}

	@Test
	void sharesTheBucketOfANameAndAKeyAmongMethods() {
		this.runner.withBean(SharingKeys.class).run((context) -> {
			SharingKeys bean = context.getBean(SharingKeys.class);
			bean.read("alice");
			bean.write(1, "alice");
			assertThat(passes(() -> bean.read("alice"))).isZero();
			assertThat(passes(() -> bean.write(1, "alice"))).isZero();
			assertThat(passes(() -> bean.write(1, "bob"))).isEqualTo(2);
		});
	}

	@Test
	void keepsKeyedCallsAndTheUnkeyedBucketOfANameApart() {
		this.runner.withBean(SharingKeys.class).run((context) -> {
			SharingKeys bean = context.getBean(SharingKeys.class);
			assertThat(passes(bean::unkeyed)).isEqualTo(2);
			assertThat(passes(() -> bean.read("alice"))).isEqualTo(2);
		});
	}

	@Test
	void namesALambdaAfterItsInterface() {
		this.runner.withBean(Job.class, () -> () -> {
		}).run((context) -> assertThat(refusingBucket(context.getBean(Job.class)::run)).isEqualTo("Job.run"));
	}

	@Test
	void givesAnAnonymousClassAName() {
		this.runner.withBean(Job.class, () -> new Job() {

			@Override
			public void run() {
			}

		})
			.run((context) -> assertThat(refusingBucket(context.getBean(Job.class)::run))
				.matches("IdentityTests\\.\\d+\\.run"));
	}

	@Test
	void createsOneBucketForTheFirstCallsOfAHundredThreads() {
		this.runner.withBean(Keyed.class, Keyed::new, (definition) -> definition.setLazyInit(true)).run((context) -> {
			assertThat(passesOfThreads(100, () -> context.getBean(Keyed.class).one("alice"))).isEqualTo(1);
			assertThat(context.getBean(RateLimiterRegistry.class).get("one").keys()).isEqualTo(1);
		});
	}

	@Test
	void createsOneUnkeyedBucketForTheFirstCallsOfAHundredThreads() {
		this.runner.withBean(Orders.class)
			.run((context) -> assertThat(passesOfThreads(100, context.getBean(Orders.class)::place)).isEqualTo(1));
	}

	private static int passesOfThreads(int threads, Runnable call) throws Exception {
		CyclicBarrier start = new CyclicBarrier(threads);
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Future<Integer>> passes = IntStream.range(0, threads).mapToObj((i) -> executor.submit(() -> {
				await(start);
				try {
					call.run();
					return 1;
				}
				catch (RateLimitExceededException ex) {
					return 0;
				}
			})).toList();
			int sum = 0;
			for (Future<Integer> passed : passes) {
				sum += passed.get();
			}
			return sum;
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await();
		}
		catch (InterruptedException | BrokenBarrierException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<String> names(RateLimiterRegistry registry) {
		return registry.limiters().stream().map(RateLimiter::name).toList();
	}

	static class Orders {

		@RateLimited(rate = 1)
		void place() {
		}

	}

	static class Invoices {

		@RateLimited(rate = 2)
		void place() {
		}

	}

	static class BookOrders extends Orders {

	}

	static class MusicOrders extends Orders {

	}

	static class Overloads {

		@RateLimited(rate = 1)
		void find(String title) {
		}

		@RateLimited(rate = 1)
		void find(long id) {
		}

	}

	static class NamedOverloads {

		@RateLimited(rate = 1)
		void find(String title) {
		}

		@RateLimited(name = "findById", rate = 2)
		void find(long id) {
		}

	}

	static class OneOverload {

		@RateLimited(rate = 1)
		void find(String title) {
		}

		void find(long id) {
		}

	}

	@RateLimited(rate = 2)
	static class OverloadsOfClass {

		public void find(String title) {
		}

		public void find(long id) {
		}

	}

	static class SharingOverloads {

		@RateLimited(name = "find", rate = 2)
		void find(String title) {
		}

		@RateLimited("find")
		void find(long id) {
		}

	}

	static class First {

		static class Service {

			@RateLimited(rate = 1)
			void call() {
			}

		}

		@RateLimited(rate = 1)
		static class Limited {

			public void call() {
			}

		}

	}

	static class Second {

		static class Service {

			@RateLimited(rate = 1)
			void call() {
			}

		}

		@RateLimited(rate = 1)
		static class Limited {

			public void call() {
			}

		}

	}

	static class Numbered {

		@RateLimited(rate = 7)
		@RateLimited(rate = 8)
		@RateLimited(rate = 9)
		void three() {
		}

	}

	static class NamedAmongUnnamed {

		@RateLimited(rate = 7)
		@RateLimited(name = "named", rate = 8)
		@RateLimited(rate = 9)
		void call() {
		}

	}

	static class Keyed {

		@RateLimited(name = "one", rate = 1, key = "#key")
		void one(String key) {
		}

		@RateLimited(name = "another", rate = 2, key = "#key")
		void another(String key) {
		}

		@RateLimited(name = "two", rate = 1, key = "{#a, #b}")
		void two(String a, String b) {
		}

		@RateLimited(name = "list", rate = 1, key = "#keys")
		void list(List<?> keys) {
		}

	}

	static class ReadingTheSame {

		@RateLimited(name = "a", rate = 1, key = "#key")
		void first(String key) {
		}

		@RateLimited(name = "ab", rate = 1, key = "#key")
		void second(String key) {
		}

	}

	static class SharingKeys {

		@RateLimited(name = "api", rate = 2, key = "#user")
		void read(String user) {
		}

		@RateLimited(name = "api", key = "#owner")
		void write(int id, String owner) {
		}

		@RateLimited("api")
		void unkeyed() {
		}

	}

	interface Job {

		@RateLimited(rate = 1)
		void run();

	}

}
