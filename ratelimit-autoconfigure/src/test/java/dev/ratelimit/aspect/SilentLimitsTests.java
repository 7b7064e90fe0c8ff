package dev.ratelimit.aspect;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.aspect.elsewhere.PackagePrivate;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static dev.ratelimit.aspect.Limits.passes;
import static dev.ratelimit.aspect.Limits.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests ways in which a limit could silently do nothing, or more than it says.
 */
class SilentLimitsTests {

	private final ApplicationContextRunner runner = Limits.runner();

	@ParameterizedTest
	@ValueSource(strings = { BeanDefinition.SCOPE_PROTOTYPE, BeanDefinition.SCOPE_SINGLETON })
	void doesNotMakeALateBeanOfAFinalClassBehindAnInterface(String scope) {
		this.runner.withInitializer((context) -> register((GenericApplicationContext) context, scope))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(catchThrowable(() -> context.getBean("service"))).rootCause()
					.isInstanceOf(RateLimitConfigurationException.class)
					.hasMessageContaining("FinalService.call cannot be limited, for it is of a final class");
			});
	}

	@Test
	void namesAPrototypeOfAFinalClassThatStartupMade() {
		this.runner
			.withInitializer((context) -> register((GenericApplicationContext) context, BeanDefinition.SCOPE_PROTOTYPE))
			.withBean(NeedsService.class)
			.run((context) -> assertThat(report(context)).contains("FinalService.call cannot be limited"));
	}

	private static void register(GenericApplicationContext context, String scope) {
		context.registerBean("service", Service.class, FinalService::new, (definition) -> {
			definition.setLazyInit(true);
			definition.setScope(scope);
		});
	}

	@Test
	void namesAPackagePrivateMethodOfAnotherPackage() {
		this.runner.withBean(InAnotherPackage.class)
			.run((context) -> assertThat(report(context)).contains("package-private in another package"));
	}

	@Test
	void namesALimitOnAClassWithoutPublicMethods() {
		this.runner.withBean(NothingPublic.class)
			.run((context) -> assertThat(report(context)).contains("NothingPublic limits nothing"));
	}

	@Test
	void namesAHandlerMethodThatTheLimitOfItsControllerLeavesOut() {
		this.runner.withBean(HalfPublicController.class)
			.run((context) -> assertThat(report(context)).contains("HalfPublicController.hidden is not limited")
				.doesNotContain("exempt"));
	}

	@Test
	void refusesAKeyThatIsAnotherForEachCall() {
		this.runner.withBean(Keyed.class).run((context) -> {
			Keyed keyed = context.getBean(Keyed.class);
			assertThatIllegalStateException().isThrownBy(() -> keyed.call(new Object()))
				.withMessageContaining("no toString()")
				.withMessageContaining("Keyed.call");
			assertThat(passes(() -> keyed.call(Map.of("user", new int[] { 1 }, "at", 2)))).isOne();
			assertThat(passes(() -> keyed.call(List.of("a")))).isOne();
		});
	}

	@Test
	void chargesOnceWhereTwoProxyCreatorsAdviseABean() {
		this.runner.withUserConfiguration(SecondProxyCreator.class)
			.withBean(Plain.class)
			.run((context) -> assertThat(passes(context.getBean(Plain.class)::call)).isEqualTo(4));
	}

	@Test
	void limitsABeanThatIsWrappedInAnotherProxy() {
		this.runner.withUserConfiguration(Wrapper.class)
			.withBean(Plain.class)
			.run((context) -> assertThat(passes(context.getBean(Plain.class)::call)).isEqualTo(4));
	}

	@Test
	void doesNotChargeTheLimitOfAConfigurationForItsBeans() {
		this.runner.withUserConfiguration(LimitedConfiguration.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(passes(context.getBean(LimitedConfiguration.class)::call)).isEqualTo(2);
		});
	}

	@Test
	void findsTheRateAtAnotherMethodOfTheClassBeforeStartupLooksAtTheBeans() {
		this.runner.withBean(EarlyService.class).withBean(EarlyCaller.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(RateLimiterRegistry.class).get("early").settings().limit())
				.isEqualTo(RateLimit.of(3, Duration.ofHours(1), 3));
		});
	}

	@Test
	void refusesACallWhoseTokensTheCapacityHoldsNoMore() {
		this.runner.withBean(Priced.class).run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).get("priced");
			Priced priced = context.getBean(Priced.class);
			Thread changes = new Thread(() -> {
				for (int i = 0; i < 20_000; i++) {
					limiter.change(RateLimit.of(1000, Duration.ofSeconds(1), (i % 2 == 0) ? 5 : 10));
				}
			});
			changes.start();
			while (changes.isAlive()) {
				Throwable thrown = catchThrowable(priced::call);
				if (thrown != null) {
					assertThat(thrown).isInstanceOf(RateLimitExceededException.class);
				}
			}
		});
	}

	@Test
	void reportsAConstantPriceBesideOtherFaults() {
		this.runner.withBean(NothingPublic.class)
			.withBean(TooExpensive.class)
			.run((context) -> assertThat(report(context)).contains("NothingPublic limits nothing", "can never pass"));
	}

	interface Service {

		void call();

	}

	static final class FinalService implements Service {

		@Override
		@RateLimited(rate = 1)
		public void call() {
		}

	}

	static class NeedsService {

		NeedsService(Service service) {
			service.call();
		}

	}

	static class InAnotherPackage extends PackagePrivate {

	}

	@RateLimited(rate = 1)
	static class NothingPublic {

		void call() {
		}

	}

	@RestController
	@RateLimited(rate = 1)
	static class HalfPublicController {

		@GetMapping("/shown")
		public void shown() {
		}

		@GetMapping("/hidden")
		void hidden() {
		}

		@GetMapping("/exempt")
		@RateLimited.Exempt
		void exempt() {
		}

	}

	static class Keyed {

		@RateLimited(rate = 1, key = "#id")
		void call(Object id) {
		}

	}

	static class Plain {

		@RateLimited(rate = 1, capacity = 4)
		public void call() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecondProxyCreator {

		@Bean
		static DefaultAdvisorAutoProxyCreator secondProxyCreator() {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(true);
			return creator;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Wrapper {

		@Bean
		static BeanPostProcessor wrapper() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					if (!(bean instanceof Plain)) {
						return bean;
					}
					ProxyFactory factory = new ProxyFactory(bean);
					factory.setProxyTargetClass(true);
					return factory.getProxy();
				}

			};
		}

	}

	@Configuration
	@RateLimited(rate = 1, capacity = 2)
	public static class LimitedConfiguration {

		@Bean
		public String one() {
			return "one";
		}

		@Bean
		public Supplier<String> two() {
			return () -> "two";
		}

		@Bean
		public Runnable three() {
			return () -> {
			};
		}

		public void call() {
		}

	}

	static class EarlyService {

		@RateLimited("early")
		public void call() {
		}

		@RateLimited(name = "early", rate = 3, per = "1h")
		public void other() {
		}

	}

	static class EarlyCaller {

		EarlyCaller(EarlyService service) {
			service.call();
		}

	}

	static class Priced {

		@RateLimited(name = "priced", rate = 1000, capacity = 10, tokens = "8")
		public void call() {
		}

	}

	static class TooExpensive {

		@RateLimited(rate = 1, tokens = "5")
		public void call() {
		}

	}

}
