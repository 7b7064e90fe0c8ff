package dev.ratelimit.aspect;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.PriorityOrdered;
import org.springframework.data.annotation.Id;
import org.springframework.data.keyvalue.repository.KeyValueRepository;
import org.springframework.data.map.repository.config.EnableMapRepositories;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

import static dev.ratelimit.aspect.Limits.passes;
import static dev.ratelimit.aspect.Limits.refusal;
import static dev.ratelimit.aspect.Limits.refusingBucket;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans that are not plain singletons of a class: clients, repositories, lazy and scoped
 * ones, products of factories, and those created before all others.
 */
@ExtendWith(OutputCaptureExtension.class)
class BeanKindsTests {

	private final ApplicationContextRunner runner = Limits.runner();

	private final AtomicInteger created = new AtomicInteger();

	@AfterEach
	void endRequest() {
		RequestContextHolder.resetRequestAttributes();
	}

	@Test
	void limitsAnHttpExchangeClientUnderTheNameOfItsInterface() throws IOException {
		AtomicInteger requests = new AtomicInteger();
		HttpServer server = server(requests);
		try {
			this.runner.withBean(Weather.class, () -> weather(server)).run((context) -> {
				Weather weather = context.getBean(Weather.class);
				assertThat(weather.today("Rome")).isEqualTo("sunny");
				assertThat(passes(() -> weather.today("Rome"))).isEqualTo(1);
				assertThat(passes(() -> weather.today("Oslo"))).isEqualTo(2);
				assertThat(refusal(() -> weather.today("Oslo")).getBucketName()).isEqualTo("Weather.today");
				assertThat(requests).hasValue(4);
			});
		}
		finally {
			server.stop(0);
		}
	}

	@Test
	void limitsAnHttpExchangeInterface() throws IOException {
		HttpServer server = server(new AtomicInteger());
		try {
			this.runner
				.withBean(LimitedWeather.class,
						() -> HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client(server)))
							.build()
							.createClient(LimitedWeather.class))
				.run((context) -> {
					LimitedWeather weather = context.getBean(LimitedWeather.class);
					weather.today();
					weather.tomorrow();
					assertThat(refusal(weather::today).getBucketName()).isEqualTo("LimitedWeather");
				});
		}
		finally {
			server.stop(0);
		}
	}

	@Test
	void limitsARepositoryUnderTheNameOfItsInterface() {
		this.runner.withUserConfiguration(Repositories.class).run((context) -> {
			Books books = context.getBean(Books.class);
			books.save(new Book("1", "Emma"));
			assertThat(books.findById("1")).isPresent();
			assertThat(passes(() -> books.findById("1"))).isEqualTo(1);
			assertThat(refusal(() -> books.findById("1")).getBucketName()).isEqualTo("Books.findById");
			assertThat(books.count()).isEqualTo(1);
		});
	}

	@Test
	void limitsAQueryMethodOfARepository() {
		this.runner.withUserConfiguration(Repositories.class).run((context) -> {
			Books books = context.getBean(Books.class);
			books.save(new Book("1", "Emma"));
			assertThat(books.findByTitle("Emma")).hasSize(1);
			assertThat(passes(() -> books.findByTitle("Emma"))).isEqualTo(2);
			assertThat(passes(() -> books.findByTitle("Ulysses"))).isEqualTo(3);
		});
	}

	@Test
	void limitsADefaultMethodOfARepository() {
		this.runner.withUserConfiguration(Repositories.class)
			.run((context) -> assertThat(passes(context.getBean(Books.class)::isEmpty)).isEqualTo(4));
	}

	@Test
	void limitsAllMethodsOfALimitedRepository() {
		this.runner.withUserConfiguration(Repositories.class).run((context) -> {
			LimitedBooks books = context.getBean(LimitedBooks.class);
			books.save(new Book("1", "Emma"));
			books.count();
			books.findById("1");
			assertThat(refusal(books::count).getBucketName()).isEqualTo("LimitedBooks");
		});
	}

	@Test
	void limitsTheProxyThatAFactoryBeanMakesOfAnInterface() {
		this.runner.withBean("mailbox", MailboxFactory.class).run((context) -> {
			Mailbox mailbox = context.getBean(Mailbox.class);
			assertThat(mailbox.send("hello")).isEqualTo("sent hello");
			assertThat(passes(() -> mailbox.send("hello"))).isEqualTo(1);
			assertThat(refusal(() -> mailbox.send("hello")).getBucketName()).isEqualTo("Mailbox.send");
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void limitsTheProductOfAFactoryBean(boolean classProxies) {
		this.runner.withPropertyValues("spring.aop.proxy-target-class=" + classProxies)
			.withBean("orders", OrdersFactory.class)
			.run((context) -> {
				Orders orders = context.getBean(Orders.class);
				assertThat(passes(orders::place)).isEqualTo(2);
				assertThat(refusingBucket(orders::place)).isEqualTo("Orders.place");
			});
	}

	@Test
	void limitsAMethodOfAFactoryBeanItself() {
		this.runner.withBean("orders", LimitedFactory.class).run((context) -> {
			LimitedFactory factory = context.getBean(LimitedFactory.class);
			assertThat(passes(factory::refresh)).isEqualTo(2);
			assertThat(passes(context.getBean(Orders.class)::place)).isEqualTo(2);
		});
	}

	@Test
	void limitsALazyBean() {
		this.runner.withBean(Orders.class, () -> new Orders(this.created), (definition) -> definition.setLazyInit(true))
			.run((context) -> {
				assertThat(this.created).hasValue(0);
				assertThat(passes(context.getBean(Orders.class)::place)).isEqualTo(2);
				assertThat(this.created).hasValue(1);
			});
	}

	@Test
	void limitsALazyInjectionPointOnce() {
		this.runner.withBean(Orders.class).withUserConfiguration(LazyUser.class).run((context) -> {
			LazyUser user = context.getBean(LazyUser.class);
			assertThat(passes(() -> user.orders.place())).isEqualTo(2);
		});
	}

	@Test
	void limitsAllInstancesOfAPrototypeTogether() {
		this.runner
			.withBean(Orders.class, () -> new Orders(this.created), (definition) -> definition.setScope("prototype"))
			.run((context) -> {
				assertThat(this.created).hasValue(0);
				assertThat(passes(() -> context.getBean(Orders.class).place())).isEqualTo(2);
				assertThat(this.created).hasValue(3);
			});
	}

	@Test
	void limitsARequestScopedBeanAcrossRequests() {
		web().withUserConfiguration(Scoped.class).run((context) -> {
			assertThat(context).hasNotFailed();
			Orders orders = context.getBean("perRequest", Orders.class);
			assertThat(passes(() -> {
				MockHttpServletRequest request = new MockHttpServletRequest();
				RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
				orders.place();
			})).isEqualTo(2);
			assertThat(refusal(orders::place).getBucketName()).isEqualTo("Orders.place");
		});
	}

	@Test
	void limitsASessionScopedBeanAcrossSessions() {
		web().withUserConfiguration(Scoped.class).run((context) -> {
			Orders orders = context.getBean("perSession", Orders.class);
			assertThat(passes(() -> {
				MockHttpServletRequest request = new MockHttpServletRequest();
				request.setSession(new MockHttpSession());
				RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
				orders.place();
			})).isEqualTo(2);
		});
	}

	@Test
	void checksAScopedBeanAtStartup() {
		web().withUserConfiguration(ScopedWithFault.class)
			.run((context) -> assertThat(Limits.report(context)).contains(Faulty.class.getName(), "usr"));
	}

	@Test
	void createsNoInstanceToLookForAnnotations() {
		web().withUserConfiguration(NeverCreated.class).run((context) -> {
			assertThat(context).hasNotFailed();
			RateLimiterRegistry registry = context.getBean(RateLimiterRegistry.class);
			assertThat(registry.find("Untouchable.place")).isNotNull();
			assertThat(registry.find("UntouchableFactory.refresh")).isNotNull();
		});
	}

	@Test
	void reportsAPostProcessorThatIsCreatedBeforeTheAdvice() {
		this.runner.withBean(LimitedPostProcessor.class)
			.run((context) -> assertThat(Limits.report(context)).contains(LimitedPostProcessor.class.getName()));
	}

	@Test
	void reportsABeanThatIsCreatedBeforeTheAdvice() {
		this.runner.withUserConfiguration(EarlyWithLimitedBean.class)
			.run((context) -> assertThat(Limits.report(context)).contains("'earlyOrders'", Orders.class.getName()));
	}

	@Test
	void limitsABeanThatAnOrdinaryPostProcessorNeeds() {
		this.runner.withUserConfiguration(OrdinaryWithLimitedBean.class)
			.run((context) -> assertThat(passes(context.getBean("neededOrders", Orders.class)::place)).isEqualTo(2));
	}

	@Test
	void reportsTheProductOfAHandMadeProxyWithoutAdvice() {
		this.runner.withInitializer(
				(context) -> context.getBeanFactory().registerSingleton("mailbox", new MailboxFactory().getObject()))
			.run((context) -> assertThat(Limits.report(context)).contains("'mailbox'", Mailbox.class.getName()));
	}

	@ParameterizedTest
	@ValueSource(classes = { EarlyFactoryPostProcessor.class, EarlyPostProcessor.class, EarlyListener.class,
			EarlyWithLimitedBean.class, OrdinaryWithLimitedBean.class })
	void doesNotDragTheRegistryItsClockAndListenersUpEarly(Class<?> early, CapturedOutput output) {
		Witness witness = new Witness();
		new ApplicationContextRunner().withConfiguration(Limits.autoConfigurations())
			.withInitializer((context) -> context.getBeanFactory().registerSingleton("witness", witness))
			.withUserConfiguration(early, LateBeans.class)
			.withPropertyValues("ratelimit.verify=off")
			.run((context) -> {
				assertThat(context.getBeanNamesForType(RateLimiterRegistry.class)).hasSize(1);
				assertThat(witness.seen).contains(RateLimiterRegistry.class.getName(), ManualTimeSource.class.getName(),
						CountingListener.class.getName());
				assertThat(output.toString().lines()).noneMatch(
						(line) -> line.contains("is not eligible for getting processed") && line.contains("rateLimit"));
			});
	}

	private static WebApplicationContextRunner web() {
		return new WebApplicationContextRunner().withConfiguration(Limits.autoConfigurations())
			.withBean("timeSource", ManualTimeSource.class, () -> new ManualTimeSource());
	}

	private static HttpServer server(AtomicInteger requests) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", (exchange) -> {
			requests.incrementAndGet();
			exchange.sendResponseHeaders(200, 5);
			exchange.getResponseBody().write("sunny".getBytes());
			exchange.close();
		});
		server.start();
		return server;
	}

	private static RestClient client(HttpServer server) {
		return RestClient.create("http://localhost:" + server.getAddress().getPort());
	}

	private static Weather weather(HttpServer server) {
		return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client(server)))
			.build()
			.createClient(Weather.class);
	}

	interface Weather {

		@GetExchange("/today")
		@RateLimited(rate = 2, key = "#city")
		String today(@RequestParam String city);

	}

	@RateLimited(rate = 2)
	interface LimitedWeather {

		@GetExchange("/today")
		String today();

		@GetExchange("/tomorrow")
		String tomorrow();

	}

	record Book(@Id String id, String title) {

	}

	interface Books extends KeyValueRepository<Book, String> {

		@Override
		@RateLimited(rate = 2)
		Optional<Book> findById(String id);

		@RateLimited(rate = 3, key = "#title")
		List<Book> findByTitle(String title);

		@RateLimited(rate = 4)
		default boolean isEmpty() {
			return count() == 0;
		}

	}

	@RateLimited(rate = 3)
	interface LimitedBooks extends KeyValueRepository<Book, String> {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMapRepositories(considerNestedRepositories = true)
	static class Repositories {

	}

	interface Mailbox {

		@RateLimited(rate = 2)
		String send(String text);

	}

	static class MailboxFactory implements FactoryBean<Mailbox> {

		@Override
		public Mailbox getObject() {
			ProxyFactory factory = new ProxyFactory(Mailbox.class,
					(org.aopalliance.intercept.MethodInterceptor) (invocation) -> {
						Method method = invocation.getMethod();
						return method.getName().equals("send") ? "sent " + invocation.getArguments()[0] : null;
					});
			return (Mailbox) factory.getProxy();
		}

		@Override
		public Class<?> getObjectType() {
			return Mailbox.class;
		}

	}

	static class Orders {

		Orders() {
		}

		Orders(AtomicInteger created) {
			created.incrementAndGet();
		}

		@RateLimited(rate = 2)
		public void place() {
		}

	}

	static class OrdersFactory implements FactoryBean<Orders> {

		@Override
		public Orders getObject() {
			return new Orders();
		}

		@Override
		public Class<?> getObjectType() {
			return Orders.class;
		}

	}

	static class LimitedFactory extends OrdersFactory {

		@RateLimited(rate = 2)
		public void refresh() {
		}

	}

	static class LazyUser {

		private final Orders orders;

		LazyUser(@Lazy Orders orders) {
			this.orders = orders;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Scoped {

		@Bean
		@Scope(value = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Orders perRequest() {
			return new Orders();
		}

		@Bean
		@Scope(value = "session", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Orders perSession() {
			return new Orders();
		}

	}

	static class Faulty {

		@RateLimited(rate = 1, key = "#usr")
		public void call(String user) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedWithFault {

		@Bean
		@Scope(value = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Faulty faulty() {
			return new Faulty();
		}

	}

	static class Untouchable {

		Untouchable() {
			throw new IllegalStateException("created");
		}

		@RateLimited(rate = 2)
		public void place() {
		}

	}

	static class UntouchableFactory implements FactoryBean<Untouchable> {

		UntouchableFactory() {
			throw new IllegalStateException("created");
		}

		@RateLimited(rate = 2)
		public void refresh() {
		}

		@Override
		public Untouchable getObject() {
			throw new IllegalStateException("created");
		}

		@Override
		public Class<?> getObjectType() {
			return Untouchable.class;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeverCreated {

		@Bean
		@Lazy
		Untouchable lazy() {
			return new Untouchable();
		}

		@Bean
		@Scope(BeanDefinition.SCOPE_PROTOTYPE)
		Untouchable prototype() {
			return new Untouchable();
		}

		@Bean
		@Scope("request")
		Untouchable perRequest() {
			return new Untouchable();
		}

		@Bean
		@Scope(value = "session", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Untouchable perSession() {
			return new Untouchable();
		}

		@Bean
		@Lazy
		static UntouchableFactory factory() {
			return new UntouchableFactory();
		}

	}

	static class LimitedPostProcessor implements BeanPostProcessor, PriorityOrdered {

		@RateLimited(rate = 1)
		public void call() {
		}

		@Override
		public int getOrder() {
			return 0;
		}

	}

	/**
	 * Sees the beans that are created after the last post-processor has been registered.
	 */
	static class Witness {

		private final List<String> seen = new ArrayList<>();

	}

	static class LastPostProcessor implements BeanPostProcessor {

		private final Witness witness;

		LastPostProcessor(Witness witness) {
			this.witness = witness;
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			this.witness.seen.add(bean.getClass().getName());
			return bean;
		}

	}

	static class CountingListener implements RateLimitListener {

	}

	@Configuration(proxyBeanMethods = false)
	static class LateBeans {

		@Bean
		static LastPostProcessor lastPostProcessor(Witness witness) {
			return new LastPostProcessor(witness);
		}

		@Bean
		TimeSource timeSource() {
			return new ManualTimeSource();
		}

		@Bean
		CountingListener countingListener() {
			return new CountingListener();
		}

	}

	static class EarlyFactoryPostProcessor implements BeanFactoryPostProcessor {

		@Override
		public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
			beanFactory.getBeanNamesForType(Orders.class, true, false);
		}

	}

	static class EarlyPostProcessor implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return 0;
		}

	}

	static class EarlyListener implements ApplicationListener<ApplicationEvent> {

		@Override
		public void onApplicationEvent(ApplicationEvent event) {
		}

	}

	/**
	 * Has a limited bean created before most post-processors are.
	 */
	@Configuration(proxyBeanMethods = false)
	static class EarlyWithLimitedBean {

		@Bean
		static Orders earlyOrders() {
			return new Orders();
		}

		@Bean
		static EarlyPostProcessor needsOrders(Orders earlyOrders) {
			return new EarlyPostProcessor();
		}

	}

	/**
	 * Has a limited bean created before ordinary beans are.
	 */
	@Configuration(proxyBeanMethods = false)
	static class OrdinaryWithLimitedBean {

		@Bean
		static Orders neededOrders() {
			return new Orders();
		}

		@Bean
		static BeanPostProcessor needsOrders(Orders neededOrders) {
			return new BeanPostProcessor() {

			};
		}

	}

}
