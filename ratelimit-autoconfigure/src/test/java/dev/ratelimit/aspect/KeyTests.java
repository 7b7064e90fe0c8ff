package dev.ratelimit.aspect;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitDecision;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.ratelimit.aspect.Limits.available;
import static dev.ratelimit.aspect.Limits.passes;
import static dev.ratelimit.aspect.Limits.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Whose bucket a call asks.
 */
class KeyTests {

	private static final int CALLS = 50_000;

	private final ApplicationContextRunner runner = Limits.runner()
		.withBean("tenants", Tenants.class, () -> new Tenants(Map.of("alice", "acme", "bob", "acme")))
		.withBean(Api.class);

	@Test
	void readsAnArgumentByItsName() {
		assertKey((api) -> api.byName(1, "alice"), "byName", "alice");
	}

	@Test
	void readsAnArgumentByItsPosition() {
		assertKey((api) -> api.byPosition(1, "alice"), "byPosition", "alice");
		assertKey((api) -> api.byOtherPosition(1, "alice"), "byOtherPosition", "alice");
	}

	@Test
	void readsANestedProperty() {
		assertKey((api) -> api.nested(new Order(new Customer("alice"))), "nested", "alice");
	}

	@Test
	void asksABean() {
		assertKey((api) -> api.byBean("bob"), "byBean", "acme");
	}

	@Test
	void readsMethodArgumentsAndTargetOfTheCall() {
		assertKey((api) -> api.byRoot("alice"), "byRoot", "byRoot alice here");
	}

	@Test
	void readsArgumentsOfALimitOnTheClass() {
		this.runner.withBean(LimitedByClass.class).run((context) -> {
			LimitedByClass bean = context.getBean(LimitedByClass.class);
			assertThat(passes(() -> bean.first("alice"))).isEqualTo(2);
			assertThat(passes(() -> bean.second(7, "alice"))).isZero();
			assertThat(passes(() -> bean.second(7, "bob"))).isEqualTo(2);
		});
	}

	@Test
	void readsArgumentsByTheNamesOfTheInterfaceThatIsAnnotated() {
		this.runner.withBean(Renaming.class).run((context) -> {
			Annotated bean = context.getBean(Annotated.class);
			assertThat(passes(() -> bean.call("alice"))).isEqualTo(2);
			assertThat(passes(() -> bean.call("bob"))).isEqualTo(2);
		});
	}

	@Test
	void unwrapsAnOptional() {
		assertKey((api) -> api.byAny(Optional.of("alice")), "byAny", "alice");
		assertKey((api) -> api.byAny(Optional.of(7)), "byAny", "7");
	}

	@Test
	void readsANumberAnEnumAndATruthValueAsText() {
		assertKey((api) -> api.byAny(7), "byAny", "7");
		assertKey((api) -> api.byNumber(7), "byNumber", "7");
		assertKey((api) -> api.byAny(Colour.RED), "byAny", "RED");
		assertKey((api) -> api.byAny(true), "byAny", "true");
	}

	@ParameterizedTest
	@MethodSource
	void sharesABucketAmongEqualKeys(Object one, Object same, Object other) {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(() -> api.byAny(one))).isEqualTo(2);
			assertThat(passes(() -> api.byAny(same))).isZero();
			assertThat(passes(() -> api.byAny(other))).isEqualTo(2);
		});
	}

	static Stream<Arguments> sharesABucketAmongEqualKeys() {
		return Stream.of(Arguments.of(List.of("a", "b"), List.of("a", "b"), List.of("b", "a")),
				Arguments.of(new String[] { "a", "b" }, new String[] { "a", "b" }, new String[] { "b", "a" }),
				Arguments.of(new int[] { 1, 2 }, new int[] { 1, 2 }, new int[] { 12 }),
				Arguments.of(new byte[] { 1, 2 }, new byte[] { 1, 2 }, new byte[] { 2, 1 }),
				Arguments.of(List.of(new int[] { 1 }, "a"), List.of(new int[] { 1 }, "a"), List.of("a")),
				Arguments.of(new StringBuilder("a"), "a", "b"),
				Arguments.of(new Customer("a"), new Customer("a"), new Customer("b")));
	}

	@ParameterizedTest
	@MethodSource
	void asksTheUnkeyedBucketWhereTheKeyIsMissing(Object key) {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.byAny(key);
			assertThat(available(context, "byAny")).isEqualTo(1);
			assertThat(context.getBean(RateLimiterRegistry.class).get("byAny").keys()).isZero();
		});
	}

	static Stream<Arguments> asksTheUnkeyedBucketWhereTheKeyIsMissing() {
		return Stream
			.of(null, "", Optional.empty(), Optional.of(""), List.of(), new String[0], new int[0], new StringBuilder())
			.map((key) -> Arguments.of((Object) key));
	}

	@Test
	void asksTheUnkeyedBucketWhereANestedPropertyIsMissing() {
		assertUnkeyed((api) -> api.nested(null), "nested");
		assertUnkeyed((api) -> api.nested(new Order(null)), "nested");
		assertUnkeyed((api) -> api.nested(new Order(new Customer(""))), "nested");
	}

	@Test
	void doesNotLetACallEscapeByLeavingItsKeyOut() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(() -> api.byName(1, ""))).isEqualTo(2);
			assertThat(passes(() -> api.byName(1, null))).isZero();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "clientIp", "principal", "header" })
	void asksTheUnkeyedBucketOutsideARequest(String name) {
		withCaller(null).run((context) -> {
			context.getBean(CallerApi.class).byCaller(name);
			assertThat(available(context, name)).isEqualTo(1);
			assertThat(keys(context, name)).isZero();
		});
	}

	@Test
	void readsTheCallerOfTheRequest() {
		Caller caller = new Caller(Map.of("clientIp", "192.0.2.1", "principal", "alice", "x-api-key", "k1"));
		withCaller(caller).run((context) -> {
			CallerApi api = context.getBean(CallerApi.class);
			Stream.of("clientIp", "principal", "header").forEach(api::byCaller);
			assertThat(available(context, "clientIp", "192.0.2.1")).isEqualTo(1);
			assertThat(available(context, "principal", "alice")).isEqualTo(1);
			assertThat(available(context, "header", "k1")).isEqualTo(1);
		});
	}

	@Test
	void asksTheUnkeyedBucketWhereTheRequestHasNoSuchHeader() {
		withCaller(new Caller(Map.of())).run((context) -> {
			context.getBean(CallerApi.class).byCaller("header");
			assertThat(available(context, "header")).isEqualTo(1);
		});
	}

	@Test
	void failsACallWhoseKeyCannotBeRead() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThatThrownBy(() -> api.strict(new Order(null))).isNotInstanceOf(RateLimitExceededException.class)
				.hasMessageContainingAll("#order.customer.id", Api.class.getName() + ".strict(Order)");
			assertThat(available(context, "strict")).isEqualTo(2);
		});
	}

	@Test
	void findsTheVeryBucketOfAKeyInTheRegistry() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			TokenBucket bucket = context.getBean(RateLimiterRegistry.class).get("byName").bucket("alice");
			assertThat(bucket.tryAcquire()).isTrue();
			assertThat(passes(() -> api.byName(1, "alice"))).isEqualTo(1);
			assertThat(bucket.tryAcquire()).isFalse();
			assertThat(passes(() -> api.byName(1, "bob"))).isEqualTo(2);
		});
	}

	@ParameterizedTest
	@MethodSource("unusualKeys")
	void findsTheVeryBucketOfAnUnusualKey(String key) {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.byName(1, key);
			assertThat(available(context, "byName", key)).isEqualTo(1);
			assertThat(available(context, "byName", key + "!")).isEqualTo(2);
			assertThat(passes(() -> api.byName(1, key.toUpperCase(Locale.ROOT) + "'"))).isEqualTo(2);
		});
	}

	static Stream<String> unusualKeys() {
		return Stream.of("Alice", "{alice}", "#{alice}", "${alice}", "a.b[c]", "käse-\u65e5\u672c-\ud83d\ude00", " ",
				"\0", "a\nb", "x".repeat(10_000));
	}

	@Test
	void tellsLongKeysApartThatDifferAtTheEnd() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(() -> api.byName(1, "x".repeat(10_000) + "a"))).isEqualTo(2);
			assertThat(passes(() -> api.byName(1, "x".repeat(10_000) + "b"))).isEqualTo(2);
			assertThat(passes(() -> api.byName(1, "x".repeat(10_000) + "a"))).isZero();
		});
	}

	@Test
	void distinguishesKeysByCase() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(() -> api.byName(1, "alice"))).isEqualTo(2);
			assertThat(passes(() -> api.byName(1, "Alice"))).isEqualTo(2);
		});
	}

	@Test
	void nameOfTheLimitIsInTheRefusalOfAKeyedBucket() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			passes(() -> api.byName(1, "alice"));
			assertThat(refusal(() -> api.byName(1, "alice")).getBucketName()).isEqualTo("byName");
		});
	}

	/**
	 * An evaluation makes a context with all arguments, which costs several hundred
	 * bytes: what a call allocates tells whether there was one.
	 */
	@Test
	void readsAPlainArgumentWithoutEvaluatingAnExpression() {
		Limits.runner().withBean(Priced.class).run((context) -> {
			Priced bean = context.getBean(Priced.class);
			long unkeyed = bytesOfACall(() -> bean.unkeyed("alice"));
			long plain = bytesOfACall(() -> bean.plain("alice"));
			long evaluated = bytesOfACall(() -> bean.evaluated("alice"));
			assertThat(evaluated - unkeyed).as("evaluation").isGreaterThan(200);
			assertThat(plain - unkeyed).as("plain argument").isLessThan(100);
			assertThat(available(context, "plain", "alice")).isLessThan(1_000_000_000 - CALLS);
		});
	}

	private void assertKey(Consumer<Api> call, String name, String key) {
		this.runner.run((context) -> {
			call.accept(context.getBean(Api.class));
			assertThat(available(context, name, key)).isEqualTo(1);
			assertThat(available(context, name)).isEqualTo(2);
			assertThat(keys(context, name)).isEqualTo(1);
		});
	}

	private void assertUnkeyed(Consumer<Api> call, String name) {
		this.runner.run((context) -> {
			call.accept(context.getBean(Api.class));
			assertThat(available(context, name)).isEqualTo(1);
			assertThat(keys(context, name)).isZero();
		});
	}

	private static ApplicationContextRunner withCaller(Caller caller) {
		return Limits.runner().withBean(CallContext.Source.class, () -> () -> caller).withBean(CallerApi.class);
	}

	private static long keys(BeanFactory context, String name) {
		return context.getBean(RateLimiterRegistry.class).get(name).keys();
	}

	private static long bytesOfACall(Runnable call) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long fewest = Long.MAX_VALUE;
		for (int round = 0; round < 4; round++) {
			long before = threads.getCurrentThreadAllocatedBytes();
			for (int i = 0; i < CALLS; i++) {
				call.run();
			}
			fewest = Math.min(fewest, (threads.getCurrentThreadAllocatedBytes() - before) / CALLS);
		}
		return fewest;
	}

	enum Colour {

		RED

	}

	record Customer(String id) {

	}

	record Order(Customer customer) {

	}

	record Tenants(Map<String, String> byUser) {

		public String of(String user) {
			return this.byUser.get(user);
		}

	}

	static class Api {

		@RateLimited(name = "byName", rate = 2, key = "#user")
		void byName(int id, String user) {
		}

		@RateLimited(name = "byPosition", rate = 2, key = "#p1")
		void byPosition(int id, String user) {
		}

		@RateLimited(name = "byOtherPosition", rate = 2, key = "#a1")
		void byOtherPosition(int id, String user) {
		}

		@RateLimited(name = "nested", rate = 2, key = "#order?.customer?.id")
		void nested(Order order) {
		}

		@RateLimited(name = "strict", rate = 2, key = "#order.customer.id")
		void strict(Order order) {
		}

		@RateLimited(name = "byBean", rate = 2, key = "@tenants.of(#user)")
		void byBean(String user) {
		}

		@RateLimited(name = "byRoot", rate = 2, key = "method.name + ' ' + args[0] + ' ' + target.place()")
		void byRoot(String user) {
		}

		public String place() {
			return "here";
		}

		@RateLimited(name = "byAny", rate = 2, key = "#value")
		void byAny(Object value) {
		}

		@RateLimited(name = "byNumber", rate = 2, key = "#id")
		void byNumber(long id) {
		}

	}

	static class CallerApi {

		@RateLimited(name = "clientIp", rate = 2, key = "clientIp", condition = "#by == 'clientIp'")
		@RateLimited(name = "principal", rate = 2, key = "principal", condition = "#by == 'principal'")
		@RateLimited(name = "header", rate = 2, key = "header('X-Api-Key')", condition = "#by == 'header'")
		void byCaller(String by) {
		}

	}

	static class Priced {

		@RateLimited(name = "unkeyed", rate = 1, capacity = 1_000_000_000)
		void unkeyed(String user) {
		}

		@RateLimited(name = "plain", rate = 1, capacity = 1_000_000_000, key = "#user")
		void plain(String user) {
		}

		@RateLimited(name = "evaluated", rate = 1, capacity = 1_000_000_000, key = "#user.toString()")
		void evaluated(String user) {
		}

	}

	@RateLimited(rate = 2, key = "#user")
	static class LimitedByClass {

		public void first(String user) {
		}

		public void second(int id, String user) {
		}

	}

	interface Annotated {

		@RateLimited(rate = 2, key = "#user")
		void call(String user);

	}

	static class Renaming implements Annotated {

		@Override
		public void call(String somebody) {
		}

	}

	private static final class Caller implements CallContext {

		private final Map<String, String> values;

		private Caller(Map<String, String> values) {
			this.values = new HashMap<>(values);
		}

		@Override
		public String clientIp() {
			return this.values.get("clientIp");
		}

		@Override
		public String principal() {
			return this.values.get("principal");
		}

		@Override
		public String header(String name) {
			return this.values.get(name.toLowerCase(Locale.ROOT));
		}

		@Override
		public void decided(RateLimitDecision decision) {
			Objects.requireNonNull(decision);
		}

	}

}
