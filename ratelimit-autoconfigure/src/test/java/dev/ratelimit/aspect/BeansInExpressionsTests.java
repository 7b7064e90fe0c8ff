package dev.ratelimit.aspect;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;

import static dev.ratelimit.aspect.Limits.passes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What startup says of beans that expressions name.
 */
@ExtendWith(OutputCaptureExtension.class)
class BeansInExpressionsTests {

	private static final String PROBLEM = "names the bean 'tenants', which is not there";

	private final ApplicationContextRunner runner = Limits.runner();

	@ParameterizedTest
	@ValueSource(classes = { OfKey.class, OfTokens.class, OfCondition.class, InACall.class })
	void reportsABeanThatIsNotThere(Class<?> type) {
		this.runner.withBean(type)
			.run((context) -> assertThat(Limits.report(context)).contains(type.getName() + ".call(String)", PROBLEM,
					"Write the name of a bean"));
	}

	@Test
	void asksWhetherTheBeanWithTheNearestNameWasMeant() {
		this.runner.withBean(OfKey.class)
			.withBean("tenantz", Tenants.class)
			.withBean("somethingElse", Tenants.class)
			.run((context) -> assertThat(Limits.report(context)).contains(PROBLEM, "Did you mean @tenantz?"));
	}

	@Test
	void acceptsALazyBeanWithoutMakingIt() {
		this.runner.withBean(OfKey.class)
			.withBean("tenants", Tenants.class, () -> new Tenants("lazy"), (definition) -> definition.setLazyInit(true))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeanFactory().containsSingleton("tenants")).isFalse();
				assertThat(passes(() -> context.getBean(OfKey.class).call("alice"))).isEqualTo(1);
			});
	}

	@Test
	void acceptsWhatIsNoBeanDefinition() {
		this.runner.withBean(OfKey.class)
			.withInitializer((context) -> context.getBeanFactory().registerSingleton("tenants", new Tenants("single")))
			.run((context) -> assertThat(passes(() -> context.getBean(OfKey.class).call("alice"))).isEqualTo(1));
		this.runner.withBean(OfEnvironment.class)
			.withPropertyValues("tenant=a")
			.run((context) -> assertThat(passes(context.getBean(OfEnvironment.class)::call)).isEqualTo(1));
	}

	@Test
	void acceptsABeanOfAParent() {
		GenericApplicationContext parent = new GenericApplicationContext();
		parent.registerBean("tenants", Tenants.class, () -> new Tenants("parent"));
		parent.refresh();
		this.runner.withParent(parent)
			.withBean(OfKey.class)
			.run((context) -> assertThat(passes(() -> context.getBean(OfKey.class).call("alice"))).isEqualTo(1));
		parent.close();
	}

	@Test
	void acceptsAFactoryAndItsProduct() {
		this.runner.withBean(OfFactory.class)
			.withBean("tenants", TenantsFactory.class)
			.run((context) -> assertThat(passes(() -> context.getBean(OfFactory.class).call("alice"))).isEqualTo(1));
	}

	@Test
	void reportsAFactoryThatIsNone() {
		this.runner.withBean(OfFactory.class)
			.withBean("tenants", Tenants.class, () -> new Tenants("product"))
			.run((context) -> assertThat(Limits.report(context)).contains("names the bean '&tenants'"));
	}

	@Test
	void warnsAndLooksAgainAtACall(CapturedOutput output) {
		this.runner.withBean(OfKey.class).withPropertyValues("ratelimit.verify=warn").run((context) -> {
			assertThat(output).contains(PROBLEM);
			failsAndPassesOnceTheBeanIsThere(context.getSourceApplicationContext(GenericApplicationContext.class));
		});
	}

	@Test
	void looksOnlyAtACallWhereStartupDoesNot(CapturedOutput output) {
		this.runner.withBean(OfKey.class).withPropertyValues("ratelimit.verify=off").run((context) -> {
			assertThat(output).doesNotContain(PROBLEM);
			failsAndPassesOnceTheBeanIsThere(context.getSourceApplicationContext(GenericApplicationContext.class));
		});
	}

	private static void failsAndPassesOnceTheBeanIsThere(GenericApplicationContext context) {
		OfKey limited = context.getBean(OfKey.class);
		assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> limited.call("alice"))
			.withMessageContaining(PROBLEM);
		context.getBeanFactory().registerSingleton("tenants", new Tenants("late"));
		assertThat(passes(() -> limited.call("alice"))).isEqualTo(1);
	}

	static class Tenants {

		private final String name;

		Tenants() {
			this("");
		}

		Tenants(String name) {
			this.name = name;
		}

		public String of(String user) {
			return this.name + user;
		}

	}

	static class TenantsFactory implements FactoryBean<Tenants> {

		@Override
		public Tenants getObject() {
			return new Tenants("product");
		}

		@Override
		public Class<?> getObjectType() {
			return Tenants.class;
		}

	}

	static class OfKey {

		@RateLimited(rate = 1, key = "@tenants.of(#user)")
		void call(String user) {
		}

	}

	static class OfTokens {

		@RateLimited(rate = 1, tokens = "@tenants.of(#user).length()")
		void call(String user) {
		}

	}

	static class OfCondition {

		@RateLimited(rate = 1, condition = "#user != null and @tenants.of(#user) != ''")
		void call(String user) {
		}

	}

	static class InACall {

		@RateLimited(rate = 1, key = "#user.concat(@tenants.of(#user))")
		void call(String user) {
		}

	}

	static class OfEnvironment {

		@RateLimited(rate = 1, key = "@environment.getProperty('tenant')")
		void call() {
		}

	}

	static class OfFactory {

		@RateLimited(rate = 1, key = "&tenants.objectType.name + @tenants.of(#user)")
		void call(String user) {
		}

	}

}
