package dev.ratelimit.aspect;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.ratelimit.aspect.Limits.available;
import static dev.ratelimit.aspect.Limits.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What is called instead of a refused call, under proxies of classes and of interfaces.
 */
@ParameterizedClass(name = "spring.aop.proxy-target-class={0}")
@ValueSource(booleans = { true, false })
class FallbackTests {

	private final ManualTimeSource time = new ManualTimeSource();

	private final ApplicationContextRunner runner;

	FallbackTests(boolean classProxies) {
		this.runner = Limits.runner(this.time)
			.withPropertyValues("spring.aop.proxy-target-class=" + classProxies)
			.withBean(Catalog.class, DefaultCatalog::new);
	}

	@Test
	void callsTheFallbackInsteadOfARefusedCall() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			assertThat(catalog.find("a", 1)).isEqualTo("found a 1");
			assertThat(catalog.find("b", 2)).isEqualTo("cached b 2");
		});
	}

	@Test
	void passesTheRefusalToAFallbackThatAsksForIt() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.explain("a");
			assertThat(catalog.explain("b")).isEqualTo("b explain PT1S");
		});
	}

	@Test
	void doesNotTakeTokensForAFallback() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.find("a", 1);
			catalog.find("a", 1);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(available(context, "find")).isEqualTo(1);
		});
	}

	@Test
	void callsTheFallbackForACallThatCanNeverPass() {
		this.runner.run((context) -> assertThat(context.getBean(Catalog.class).priced(11)).isEqualTo("null"));
	}

	@Test
	void callsTheFallbackWhereAWaitDoesNotFit() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.patient("a");
			assertThat(catalog.patient("b")).isEqualTo("impatient b");
		});
	}

	@Test
	void doesNotCallTheFallbackForAnInterruptedWait() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.endless("a");
			FutureTask<Throwable> task = new FutureTask<>(() -> catchThrowable(() -> catalog.endless("b")));
			Thread thread = new Thread(task);
			thread.start();
			while (this.time.waiters() == 0) {
				Thread.yield();
			}
			thread.interrupt();
			assertThat(task.get(30, TimeUnit.SECONDS)).isInstanceOf(RateLimitWaitInterruptedException.class);
		});
	}

	@Test
	void doesNotCallTheFallbackForARefusalOfTheBody() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			assertThat(refusal(catalog::refusingBody).getBucketName()).isEqualTo("refusingBody");
		});
	}

	@Test
	void doesNotCallTheFallbackForARefusalOfAnInnerLimit() {
		this.runner.withBean(Warehouse.class, DefaultWarehouse::new).withBean(Shop.class).run((context) -> {
			Buying shop = context.getBean(Buying.class);
			assertThat(shop.buy()).isEqualTo("taken");
			assertThat(refusal(shop::buy).getBucketName()).isEqualTo("warehouse");
		});
	}

	@Test
	void doesNotCallTheFallbackForARefusalOfTheSameLimitInside() {
		this.runner.withBean(Warehouse.class, DefaultWarehouse::new).withBean(Shop.class).run((context) -> {
			Buying shop = context.getBean(Buying.class);
			assertThat(refusal(shop::buyTwice).getBucketName()).isEqualTo("twice");
		});
	}

	@Test
	void doesNotCallTheFallbackForOtherExceptionsOfTheBody() {
		this.runner.run((context) -> assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> context.getBean(Catalog.class).failingBody())
			.withMessage("body"));
	}

	@Test
	void letsCheckedExceptionsOfTheFallbackArriveUnwrapped() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.failingFallback("a");
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> catalog.failingFallback("b"))
				.withMessage("fallback b");
		});
	}

	@Test
	void letsUncheckedExceptionsOfTheFallbackArriveUnwrapped() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			assertThatThrownBy(() -> {
				catalog.rethrowing();
				catalog.rethrowing();
			}).isExactlyInstanceOf(IllegalStateException.class)
				.hasCauseExactlyInstanceOf(RateLimitExceededException.class);
		});
	}

	@Test
	void matchesPrimitiveAndBoxedResults() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.primitive(7);
			assertThat(catalog.primitive(7)).isEqualTo(-7);
			catalog.boxed(7);
			assertThat(catalog.boxed(7)).isEqualTo(-7L);
		});
	}

	@Test
	void matchesVoid() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			List<String> log = new ArrayList<>();
			catalog.nothing(log);
			catalog.nothing(log);
			assertThat(log).containsExactly("body", "fallback");
		});
	}

	@Test
	void matchesANarrowerResult() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.wide();
			assertThat(catalog.wide()).isEqualTo(List.of("fallback"));
		});
	}

	@Test
	void matchesGenericResultsAndParameters() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.generic(List.of("a"));
			assertThat(catalog.generic(List.of("b"))).containsExactly("fallback");
			catalog.variable(String.class);
			assertThat(catalog.variable(String.class)).isEmpty();
		});
	}

	@Test
	void matchesTheTypesOfAGenericSuperclass() {
		this.runner.withBean(StringStore.class).run((context) -> {
			Store<String> store = store(context.getBean(Store.class));
			assertThat(store.load("a")).isEqualTo("a");
			assertThat(store.load("b")).isEqualTo("fallback b");
		});
	}

	@Test
	void matchesAFallbackThatIsInherited() {
		this.runner.withBean(InheritedFallback.class).run((context) -> {
			Job job = context.getBean(Job.class);
			assertThat(job.run()).isEqualTo("body");
			assertThat(job.run()).isEqualTo("inherited");
		});
	}

	@Test
	void matchesAnOverload() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.overloaded(7);
			assertThat(catalog.overloaded(7)).isEqualTo("int 7");
		});
	}

	@Test
	void matchesTheFallbackOfALimitOnTheClass() {
		this.runner.withBean(LimitedClass.class).run((context) -> {
			Job job = context.getBean(Job.class);
			assertThat(job.run()).isEqualTo("body");
			assertThat(job.run()).isEqualTo("fallback LimitedClass");
		});
	}

	@Test
	void callsADefaultMethodOfALimitedInterface() {
		this.runner.withBean(DefaultFallbackJob.class).run((context) -> {
			DefaultFallback job = context.getBean(DefaultFallback.class);
			assertThat(job.run("a")).isEqualTo("body a");
			assertThat(job.run("b")).isEqualTo("default b");
		});
	}

	@Test
	void callsADefaultMethodOfAClientThatIsAProxy() {
		MethodInterceptor client = (invocation) -> invocation.getMethod().isDefault()
				? InvocationHandler.invokeDefault(((ProxyMethodInvocation) invocation).getProxy(),
						invocation.getMethod(), invocation.getArguments())
				: "client";
		this.runner.withBean(DefaultFallback.class, () -> ProxyFactory.getProxy(DefaultFallback.class, client))
			.run((context) -> {
				DefaultFallback job = context.getBean(DefaultFallback.class);
				assertThat(job.run("a")).isEqualTo("client");
				assertThat(job.run("b")).isEqualTo("default b");
			});
	}

	@Test
	void callsTheFallbackOfTheLimitThatRefuses() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.several("alice");
			assertThat(catalog.several("alice")).isEqualTo("user alice");
			catalog.several("bob");
			assertThat(catalog.several("carol")).isEqualTo("all carol");
		});
	}

	@Test
	void throwsWhereTheLimitThatRefusesHasNoFallback() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.partly("alice");
			assertThat(catalog.partly("alice")).isEqualTo("user alice");
			catalog.partly("bob");
			assertThat(refusal(() -> catalog.partly("carol")).getBucketName()).isEqualTo("partly-all");
		});
	}

	@Test
	void findsTheRefusingOneOfTwoLimitsOfOneName() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			assertThat(catalog.sameName()).isEqualTo("second");
		});
	}

	@Test
	void doesNotCallTheFallbackOfALimitThatDoesNotApply() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.conditional(true);
			assertThat(catalog.conditional(false)).isEqualTo("body");
			assertThat(catalog.conditional(true)).isEqualTo("fallback");
		});
	}

	@Test
	void acceptsAFallbackForAMethodOfTheSameNameAndBean() {
		this.runner.run((context) -> {
			Catalog catalog = context.getBean(Catalog.class);
			catalog.self("a");
			assertThat(catalog.self("b")).isEqualTo("b self");
		});
	}

	@SuppressWarnings("unchecked")
	private static <T> Store<T> store(Object bean) {
		return (Store<T>) bean;
	}

	public interface Catalog {

		String find(String text, int page);

		String explain(String text);

		String priced(int tokens);

		String patient(String text);

		String endless(String text);

		String refusingBody();

		String failingBody() throws IOException;

		String failingFallback(String text) throws IOException;

		String rethrowing();

		int primitive(int value);

		Long boxed(long value);

		void nothing(List<String> log);

		Collection<String> wide();

		List<String> generic(List<String> values);

		<T> List<T> variable(Class<T> type);

		String overloaded(int value);

		String several(String user);

		String partly(String user);

		String sameName();

		String conditional(boolean limited);

		String self(String text);

	}

	static class DefaultCatalog implements Catalog {

		@Override
		@RateLimited(name = "find", rate = 1, fallback = "cached")
		public String find(String text, int page) {
			return "found " + text + " " + page;
		}

		private String cached(String text, int page) {
			return "cached " + text + " " + page;
		}

		@Override
		@RateLimited(name = "explain", rate = 1, fallback = "explained")
		public String explain(String text) {
			return text;
		}

		String explained(String text, RateLimitExceededException refusal) {
			return text + " " + refusal.getBucketName() + " " + refusal.getRetryAfter();
		}

		@Override
		@RateLimited(name = "priced", rate = 10, tokens = "#tokens", fallback = "never")
		public String priced(int tokens) {
			return "";
		}

		private String never(int tokens, RateLimitExceededException refusal) {
			return String.valueOf(refusal.getRetryAfter());
		}

		@Override
		@RateLimited(name = "patient", rate = 1, mode = RateLimitMode.WAIT, maxWait = "500ms", fallback = "impatient")
		public String patient(String text) {
			return text;
		}

		private String impatient(String text) {
			return "impatient " + text;
		}

		@Override
		@RateLimited(name = "endless", rate = 1, mode = RateLimitMode.WAIT, fallback = "impatient")
		public String endless(String text) {
			return text;
		}

		@Override
		@RateLimited(name = "refusingBody", rate = 1, fallback = "wrong")
		public String refusingBody() {
			throw new RateLimitExceededException("refusingBody", RateLimit.perSecond(1), 1, 0, Duration.ofSeconds(1));
		}

		private String wrong() {
			return "wrong";
		}

		@Override
		@RateLimited(name = "failingBody", rate = 1, fallback = "wrong")
		public String failingBody() throws IOException {
			throw new IOException("body");
		}

		@Override
		@RateLimited(name = "failingFallback", rate = 1, fallback = "failing")
		public String failingFallback(String text) throws IOException {
			return text;
		}

		private String failing(String text) throws IOException {
			throw new IOException("fallback " + text);
		}

		@Override
		@RateLimited(name = "rethrowing", rate = 1, fallback = "rethrow")
		public String rethrowing() {
			return "";
		}

		private String rethrow(RateLimitExceededException refusal) {
			throw new IllegalStateException(refusal);
		}

		@Override
		@RateLimited(name = "primitive", rate = 1, fallback = "negative")
		public int primitive(int value) {
			return value;
		}

		private Integer negative(int value) {
			return -value;
		}

		@Override
		@RateLimited(name = "boxed", rate = 1, fallback = "negative")
		public Long boxed(long value) {
			return value;
		}

		private long negative(long value) {
			return -value;
		}

		@Override
		@RateLimited(name = "nothing", rate = 1, fallback = "nothingElse")
		public void nothing(List<String> log) {
			log.add("body");
		}

		private void nothingElse(List<String> log) {
			log.add("fallback");
		}

		@Override
		@RateLimited(name = "wide", rate = 1, fallback = "narrow")
		public Collection<String> wide() {
			return List.of();
		}

		private List<String> narrow() {
			return List.of("fallback");
		}

		@Override
		@RateLimited(name = "generic", rate = 1, fallback = "genericFallback")
		public List<String> generic(List<String> values) {
			return values;
		}

		private List<String> genericFallback(List<String> values) {
			return List.of("fallback");
		}

		@Override
		@RateLimited(name = "variable", rate = 1, fallback = "variableFallback")
		public <T> List<T> variable(Class<T> type) {
			return List.of(type.cast("body"));
		}

		private <T> List<T> variableFallback(Class<T> type) {
			return List.of();
		}

		@Override
		@RateLimited(name = "overloaded", rate = 1, fallback = "overload")
		public String overloaded(int value) {
			return "";
		}

		private String overload(String value) {
			return "text " + value;
		}

		private String overload(int value) {
			return "int " + value;
		}

		@Override
		@RateLimited(name = "several-user", rate = 1, key = "#user", fallback = "ofUser")
		@RateLimited(name = "several-all", rate = 2, fallback = "ofAll")
		public String several(String user) {
			return "body";
		}

		private String ofUser(String user) {
			return "user " + user;
		}

		private String ofAll(String user, RateLimitExceededException refusal) {
			return "all " + user;
		}

		@Override
		@RateLimited(name = "partly-user", rate = 1, key = "#user", fallback = "ofUser")
		@RateLimited(name = "partly-all", rate = 2)
		public String partly(String user) {
			return "body";
		}

		@Override
		@RateLimited(name = "sameName", rate = 1, fallback = "first")
		@RateLimited(name = "sameName", fallback = "second")
		public String sameName() {
			return "body";
		}

		private String first() {
			return "first";
		}

		private String second() {
			return "second";
		}

		@Override
		@RateLimited(name = "conditional", rate = 1, condition = "#limited", fallback = "unconditional")
		public String conditional(boolean limited) {
			return "body";
		}

		private String unconditional(boolean limited) {
			return "fallback";
		}

		@Override
		@RateLimited(name = "self", rate = 1, fallback = "self")
		public String self(String text) {
			return text;
		}

		private String self(String text, RateLimitExceededException refusal) {
			return text + " " + refusal.getBucketName();
		}

	}

	public interface Warehouse {

		String take();

		String takeAgain();

	}

	static class DefaultWarehouse implements Warehouse {

		@Override
		@RateLimited(name = "warehouse", rate = 1)
		public String take() {
			return "taken";
		}

		@Override
		@RateLimited(name = "twice", rate = 1)
		public String takeAgain() {
			return "taken";
		}

	}

	public interface Buying {

		String buy();

		String buyTwice();

	}

	static class Shop implements Buying {

		private final Warehouse warehouse;

		Shop(Warehouse warehouse) {
			this.warehouse = warehouse;
		}

		@Override
		@RateLimited(name = "shop", rate = 5, fallback = "wrong")
		public String buy() {
			return this.warehouse.take();
		}

		@Override
		@RateLimited(name = "twice", fallback = "wrong")
		public String buyTwice() {
			return this.warehouse.takeAgain();
		}

		private String wrong() {
			return "wrong";
		}

	}

	public interface Store<T> {

		T load(T key);

	}

	abstract static class AbstractStore<T> implements Store<T> {

		@Override
		@RateLimited(rate = 1, fallback = "lost")
		public T load(T key) {
			return key;
		}

	}

	static class StringStore extends AbstractStore<String> {

		private String lost(String key) {
			return "fallback " + key;
		}

	}

	public interface Job {

		String run();

	}

	static class WithFallback {

		protected String inherited() {
			return "inherited";
		}

	}

	static class InheritedFallback extends WithFallback implements Job {

		@Override
		@RateLimited(rate = 1, fallback = "inherited")
		public String run() {
			return "body";
		}

	}

	@RateLimited(rate = 1, fallback = "refused")
	static class LimitedClass implements Job {

		@Override
		public String run() {
			return "body";
		}

		private String refused(RateLimitExceededException refusal) {
			return "fallback " + refusal.getBucketName();
		}

	}

	public interface DefaultFallback {

		@RateLimited(rate = 1, fallback = "otherwise")
		String run(String text);

		default String otherwise(String text) {
			return "default " + text;
		}

	}

	static class DefaultFallbackJob implements DefaultFallback {

		@Override
		public String run(String text) {
			return "body " + text;
		}

	}

}
