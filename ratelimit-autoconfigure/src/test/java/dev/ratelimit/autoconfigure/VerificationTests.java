package dev.ratelimit.autoconfigure;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.PriorityOrdered;
import org.springframework.stereotype.Controller;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What startup says of annotated methods that would not be limited, or not as meant.
 */
@ExtendWith(OutputCaptureExtension.class)
class VerificationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class));

	@Test
	void reportsAnInstanceRegisteredByHand() {
		this.runner.withInitializer((context) -> context.getBeanFactory().registerSingleton("byHand", new Orders()))
			.run((context) -> {
				FailureAnalysis analysis = StartupFailures.analyze(context);
				assertThat(analysis.getDescription()).contains("byHand", Orders.class.getName(), "place");
			});
	}

	@Test
	void reportsAProxyRegisteredByHandThatCarriesNoAdvice() {
		this.runner.withInitializer((context) -> {
			ProxyFactory factory = new ProxyFactory(new Orders());
			factory.setProxyTargetClass(true);
			context.getBeanFactory().registerSingleton("byHand", factory.getProxy());
		})
			.run((context) -> assertThat(StartupFailures.explain(context))
				.contains("byHand", Orders.class.getName(), "place")
				.doesNotContain("final", "$$SpringCGLIB$$"));
	}

	@Test
	void doesNotReportWhenDisabled() {
		this.runner.withInitializer((context) -> context.getBeanFactory().registerSingleton("byHand", new Orders()))
			.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void reportsAPostProcessorCreatedBeforeTheAdviceIsThere() {
		this.runner.withBean("early", EarlyPostProcessor.class)
			.run((context) -> assertThat(StartupFailures.explain(context)).contains("early",
					EarlyPostProcessor.class.getName(), "place"));
	}

	@Test
	void reportsABeanThatAPostProcessorNeedsBeforeTheAdviceIsThere() {
		this.runner.withUserConfiguration(Needy.class)
			.run((context) -> assertThat(StartupFailures.explain(context)).contains("needed", Orders.class.getName(),
					"place"));
	}

	@Test
	void limitsAnOrdinaryPostProcessorOrReportsIt() {
		this.runner.withBean("ordinary", OrdinaryPostProcessor.class).run((context) -> {
			if (context.getStartupFailure() != null) {
				assertThat(StartupFailures.explain(context)).contains("ordinary");
				return;
			}
			OrdinaryPostProcessor processor = context.getBean(OrdinaryPostProcessor.class);
			processor.place();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(processor::place);
		});
	}

	@Test
	void limitsAMethodOfAConfigurationClass() {
		this.runner.withUserConfiguration(LimitedConfiguration.class).run((context) -> {
			LimitedConfiguration configuration = context.getBean(LimitedConfiguration.class);
			configuration.place();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(configuration::place)
				.satisfies((ex) -> assertThat(ex.getBucketName()).isEqualTo("LimitedConfiguration.place"));
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { FinalMethod.class, PrivateMethod.class, StaticMethod.class })
	void reportsAMethodThatNoProxyCanLimit(Class<?> type) {
		String kind = type.getSimpleName().replace("Method", "").toLowerCase(Locale.ROOT);
		this.runner.withBean("orders", type).run((context) -> {
			FailureAnalysis analysis = StartupFailures.analyze(context);
			assertThat(analysis.getDescription()).contains(type.getName(), "place", kind);
			assertThat(analysis.getAction()).contains(kind.equals("static") ? "instance method" : kind);
		});
	}

	@Test
	void reportsAllMistakesAtOnce() {
		this.runner.withBean(FinalMethod.class)
			.withBean(StaticMethod.class)
			.withInitializer((context) -> context.getBeanFactory().registerSingleton("byHand", new Orders()))
			.run((context) -> assertThat(StartupFailures.analyze(context).getDescription())
				.contains(FinalMethod.class.getName(), StaticMethod.class.getName(), "byHand"));
	}

	@ParameterizedTest
	@ValueSource(classes = { ContractController.class, ContractRestController.class })
	void reportsAControllerThatWouldBeAProxyOfItsInterface(Class<?> type) {
		this.runner.withBean("contract", type)
			.withPropertyValues("spring.aop.proxy-target-class=false")
			.run((context) -> {
				FailureAnalysis analysis = StartupFailures.analyze(context);
				assertThat(analysis.getDescription()).contains("contract", type.getName());
				assertThat(analysis.getAction()).contains("spring.aop.proxy-target-class");
			});
	}

	@ParameterizedTest
	@CsvSource({ "true", "false" })
	void limitsAControllerWithoutAnInterfaceWhateverTheKindOfProxy(String proxyTargetClass) {
		this.runner.withBean(PlainController.class)
			.withPropertyValues("spring.aop.proxy-target-class=" + proxyTargetClass)
			.run((context) -> {
				PlainController controller = context.getBean(PlainController.class);
				controller.place();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(controller::place);
			});
	}

	@Test
	void limitsAControllerWithAnInterfaceByAProxyOfItsClass() {
		this.runner.withBean(ContractController.class).run((context) -> {
			ContractController controller = context.getBean(ContractController.class);
			controller.place();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(controller::place);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void knowsTheLimitsOfABeanThatIsNotYetThereWithoutCreatingIt(boolean prototype) {
		AtomicInteger created = new AtomicInteger();
		this.runner.withBean(Orders.class, () -> {
			created.incrementAndGet();
			return new Orders();
		}, (definition) -> {
			definition.setLazyInit(true);
			definition.setScope(prototype ? "prototype" : "singleton");
		}).run((context) -> {
			assertThat(context.getBean(RateLimiterRegistry.class).get("Orders.place").bucket().limit())
				.isEqualTo(RateLimit.perSecond(1));
			assertThat(created).hasValue(0);
			Orders orders = context.getBean(Orders.class);
			orders.place();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(orders::place);
		});
	}

	@Test
	void reportsAMistakeInALazyBeanAtStartup() {
		this.runner.withBean(WithoutRate.class, WithoutRate::new, (definition) -> definition.setLazyInit(true))
			.run((context) -> assertThat(StartupFailures.explain(context)).contains("'orders'", "WithoutRate"));
	}

	@Test
	void limitsTheProductOfAFactoryBeanWithoutCreatingItAtStartup() {
		AtomicInteger created = new AtomicInteger();
		this.runner.withBean("orders", OrdersFactory.class, () -> new OrdersFactory(created)).run((context) -> {
			assertThat(created).hasValue(0);
			Orders orders = context.getBean(Orders.class);
			orders.place();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(orders::place);
		});
	}

	@Test
	void doesNotCreateALazyFactoryBean() {
		AtomicInteger created = new AtomicInteger();
		this.runner.withInitializer((context) -> {
			RootBeanDefinition definition = new RootBeanDefinition(CountingFactory.class);
			definition.setLazyInit(true);
			definition.setInstanceSupplier(() -> new CountingFactory(created));
			((GenericApplicationContext) context).registerBeanDefinition("orders", definition);
		}).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(created).hasValue(0);
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { WaitingController.class, WaitingRestController.class, WaitingSubController.class })
	void warnsOfAControllerThatWaitsWithoutABound(Class<?> type, CapturedOutput output) {
		this.runner.withBean(type).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(warnings(output, type)).isOne();
			assertThat(output).contains("max-wait", "max-waiters");
		});
	}

	@Test
	void warnsOfAControllerThatWaitsByConfiguration(CapturedOutput output) {
		this.runner.withBean(PlainController.class)
			.withPropertyValues("ratelimit.buckets[PlainController.place].mode=wait")
			.run((context) -> assertThat(warnings(output, PlainController.class)).isOne());
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.max-wait=2s", "ratelimit.buckets.waits.max-wait=2s",
			"ratelimit.buckets.waits.max-waiters=5", "ratelimit.buckets.waits.mode=reject", "ratelimit.enabled=false" })
	void doesNotWarnWhereConfigurationBoundsTheWait(String property, CapturedOutput output) {
		this.runner.withBean(WaitingController.class).withPropertyValues(property).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(warnings(output, WaitingController.class)).isZero();
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { BoundedController.class, PlainController.class, WaitingService.class })
	void doesNotWarnOfABoundedWaitOrARefusalOrAService(Class<?> type, CapturedOutput output) {
		this.runner.withBean(type).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(warnings(output, type)).isZero();
		});
	}

	private static long warnings(CapturedOutput output, Class<?> type) {
		return output.toString()
			.lines()
			.filter((line) -> line.contains("WARN") && line.contains(type.getName() + ".place"))
			.count();
	}

	static class Orders {

		@RateLimited(rate = 1)
		void place() {
		}

	}

	static class WithoutRate {

		@RateLimited("orders")
		void place() {
		}

	}

	static class EarlyPostProcessor implements BeanPostProcessor, PriorityOrdered {

		@RateLimited(rate = 1)
		void place() {
		}

		@Override
		public int getOrder() {
			return 0;
		}

	}

	static class NeedyPostProcessor implements BeanPostProcessor, PriorityOrdered {

		NeedyPostProcessor(Orders orders) {
		}

		@Override
		public int getOrder() {
			return 0;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Needy {

		@Bean
		static Orders needed() {
			return new Orders();
		}

		@Bean
		static NeedyPostProcessor needyPostProcessor(Orders needed) {
			return new NeedyPostProcessor(needed);
		}

	}

	@Configuration
	static class LimitedConfiguration {

		@RateLimited(rate = 1)
		void place() {
		}

		@Bean
		Orders orders() {
			return new Orders();
		}

	}

	static class OrdinaryPostProcessor implements BeanPostProcessor {

		@RateLimited(rate = 1)
		void place() {
		}

	}

	static class FinalMethod {

		@RateLimited(rate = 1)
		final void place() {
		}

	}

	static class PrivateMethod {

		@RateLimited(rate = 1)
		private void place() {
		}

	}

	static class StaticMethod {

		@RateLimited(rate = 1)
		static void place() {
		}

	}

	interface Contract {

		void place();

	}

	@Controller
	static class ContractController implements Contract {

		@Override
		@RateLimited(rate = 1)
		public void place() {
		}

	}

	@RestController
	static class ContractRestController implements Contract {

		@Override
		@RateLimited(rate = 1)
		public void place() {
		}

	}

	@Controller
	static class PlainController {

		@RateLimited(rate = 1)
		void place() {
		}

	}

	@Controller
	static class WaitingController {

		@RateLimited(name = "waits", rate = 1, mode = RateLimitMode.WAIT)
		void place() {
		}

	}

	@RestController
	static class WaitingRestController {

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT)
		void place() {
		}

	}

	static class WaitingBase {

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT)
		void place() {
		}

	}

	@Controller
	static class WaitingSubController extends WaitingBase {

	}

	@Controller
	static class BoundedController {

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT, maxWait = "2s")
		void place() {
		}

	}

	@Service
	static class WaitingService {

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT)
		void place() {
		}

	}

	static class OrdersFactory implements FactoryBean<Orders> {

		private final AtomicInteger created;

		OrdersFactory(AtomicInteger created) {
			this.created = created;
		}

		@Override
		public Orders getObject() {
			this.created.incrementAndGet();
			return new Orders();
		}

		@Override
		public Class<?> getObjectType() {
			return Orders.class;
		}

	}

	static class CountingFactory implements FactoryBean<Orders> {

		CountingFactory(AtomicInteger created) {
			created.incrementAndGet();
		}

		@Override
		public Orders getObject() {
			return new Orders();
		}

		@Override
		public Class<?> getObjectType() {
			return Orders.class;
		}

	}

}
