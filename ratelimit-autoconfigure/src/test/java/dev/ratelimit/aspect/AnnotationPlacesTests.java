package dev.ratelimit.aspect;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.annotation.RateLimits;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;

import static dev.ratelimit.aspect.Limits.UNLIMITED;
import static dev.ratelimit.aspect.Limits.passes;
import static dev.ratelimit.aspect.Limits.refusal;
import static dev.ratelimit.aspect.Limits.refusingBucket;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every place where the annotation may stand, and which place wins, under proxies of
 * classes and of interfaces. How many calls pass on a clock that stands still tells which
 * limit was asked.
 */
@ParameterizedClass(name = "spring.aop.proxy-target-class={0}")
@ValueSource(booleans = { true, false })
class AnnotationPlacesTests {

	private final ManualTimeSource time = new ManualTimeSource();

	private final boolean classProxies;

	private final ApplicationContextRunner runner;

	AnnotationPlacesTests(boolean classProxies) {
		this.classProxies = classProxies;
		this.runner = Limits.runner(this.time).withPropertyValues("spring.aop.proxy-target-class=" + classProxies);
	}

	@Test
	void limitsThroughBothKindsOfProxies() {
		this.runner.withBean(OnMethod.class)
			.run((context) -> assertThat(AopUtils.isCglibProxy(context.getBean(Api.class)))
				.isEqualTo(this.classProxies));
	}

	@Test
	void limitsAMethod() {
		this.runner.withBean(OnMethod.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::call)).isOne();
			assertThat(passes(api::other)).isEqualTo(UNLIMITED);
			assertThat(refusingBucket(api::call)).isEqualTo("OnMethod.call");
		});
	}

	@Test
	void sharesTheBucketOfAClassAmongItsPublicMethodsAndThoseItInherits() {
		this.runner.withBean(OnClass.class).run((context) -> {
			Api api = context.getBean(Api.class);
			api.call();
			api.other();
			context.getBean(Inherited.class).inherited();
			assertThat(refusal(api::call).getBucketName()).isEqualTo("OnClass");
			assertThat(refusal(api::other).getBucketName()).isEqualTo("OnClass");
			assertThat(refusal(context.getBean(Inherited.class)::inherited).getBucketName()).isEqualTo("OnClass");
		});
	}

	@Test
	void doesNotLimitToStringHashCodeAndEqualsOfALimitedClass() {
		this.runner.withBean(OnClass.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(api.toString()).isEqualTo("OnClass");
			assertThat(api.hashCode()).isEqualTo(api.hashCode());
			assertThat(api.equals(api)).isTrue();
			assertThat(Limits.available(context, "OnClass")).isEqualTo(3);
			passes(api::call);
			assertThat(passes(api::toString)).isEqualTo(UNLIMITED);
			assertThat(passes(api::hashCode)).isEqualTo(UNLIMITED);
			assertThat(passes(() -> api.equals(api))).isEqualTo(UNLIMITED);
		});
	}

	@Test
	void limitsOnlyThePublicMethodsOfAClass() {
		this.runner.withBean(WithoutInterface.class).run((context) -> {
			WithoutInterface bean = context.getBean(WithoutInterface.class);
			assertThat(passes(bean::packagePrivate)).isEqualTo(UNLIMITED);
			assertThat(passes(bean::ofTheFamily)).isEqualTo(UNLIMITED);
			assertThat(passes(bean::call)).isEqualTo(3);
		});
	}

	@Test
	void doesNotLimitAStaticMethodOfALimitedClass() {
		this.runner.withBean(WithoutInterface.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(passes(WithoutInterface::helper)).isEqualTo(UNLIMITED);
		});
	}

	@Test
	void limitsAMethodThatIsNotPublic() {
		this.runner.withBean(NotPublic.class).run((context) -> {
			NotPublic bean = context.getBean(NotPublic.class);
			assertThat(passes(bean::packagePrivate)).isEqualTo(1);
			assertThat(passes(bean::ofTheFamily)).isEqualTo(2);
		});
	}

	@Test
	void limitsAnInterfaceMethod() {
		this.runner.withBean(OfLimitedMethod.class).run((context) -> {
			LimitedMethodApi api = context.getBean(LimitedMethodApi.class);
			assertThat(passes(api::call)).isEqualTo(5);
			assertThat(passes(api::other)).isEqualTo(UNLIMITED);
			assertThat(refusingBucket(api::call)).isEqualTo("OfLimitedMethod.call");
		});
	}

	@Test
	void limitsAMethodOfAnExtendedInterface() {
		this.runner.withBean(OfExtendedApi.class).run((context) -> {
			ExtendedApi api = context.getBean(ExtendedApi.class);
			assertThat(passes(api::call)).isEqualTo(5);
			assertThat(refusingBucket(api::call)).isEqualTo("OfExtendedApi.call");
		});
	}

	@Test
	void limitsADefaultMethod() {
		this.runner.withBean(OfDefaultMethod.class).run((context) -> {
			DefaultMethodApi api = context.getBean(DefaultMethodApi.class);
			assertThat(passes(api::call)).isEqualTo(5);
			assertThat(refusingBucket(api::call)).isEqualTo("OfDefaultMethod.call");
		});
	}

	@Test
	void sharesTheBucketOfAnInterfaceAmongItsMethods() {
		this.runner.withBean(OfLimitedInterface.class).run((context) -> {
			LimitedInterface api = context.getBean(LimitedInterface.class);
			api.call();
			api.other();
			assertThat(passes(api::call)).isEqualTo(4);
			assertThat(refusal(api::other).getBucketName()).isEqualTo("OfLimitedInterface");
			assertThat(passes(context.getBean(Inherited.class)::inherited)).isEqualTo(UNLIMITED);
		});
	}

	@Test
	void limitsAnInheritedMethod() {
		this.runner.withBean(InheritsMethod.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::call)).isEqualTo(2);
			assertThat(refusingBucket(api::call)).isEqualTo("InheritsMethod.call");
		});
	}

	@Test
	void limitsAMethodThatOverridesALimitedOne() {
		this.runner.withBean(OverridesMethod.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::call)).isEqualTo(2);
			assertThat(refusingBucket(api::call)).isEqualTo("OverridesMethod.call");
		});
	}

	@Test
	void limitsTheImplementationOfAnAbstractMethod() {
		this.runner.withBean(ImplementsAbstract.class)
			.run((context) -> assertThat(passes(context.getBean(Api.class)::call)).isEqualTo(2));
	}

	@Test
	void limitsASubclassOfALimitedClass() {
		this.runner.withBean(OfLimitedSuperclass.class).run((context) -> {
			Api api = context.getBean(Api.class);
			api.call();
			api.other();
			context.getBean(Inherited.class).inherited();
			api.call();
			assertThat(refusal(api::other).getBucketName()).isEqualTo("OfLimitedSuperclass");
		});
	}

	@Test
	void limitsEverySubclassOfALimitedClassByItself() {
		this.runner.withBean("one", OfLimitedSuperclass.class)
			.withBean("another", AnotherOfLimitedSuperclass.class)
			.run((context) -> {
				assertThat(passes(context.getBean("another", Api.class)::call)).isEqualTo(4);
				assertThat(passes(context.getBean("one", Api.class)::call)).isEqualTo(4);
			});
	}

	@Test
	void prefersTheMethodToItsClassAndLeavesTheBucketOfTheClassAlone() {
		this.runner.withBean(MethodAndClass.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::call)).isEqualTo(1);
			assertThat(passes(api::other)).isEqualTo(3);
		});
	}

	@Test
	void prefersTheMethodToTheOneItOverrides() {
		this.runner.withBean(ReplacesMethod.class)
			.run((context) -> assertThat(passes(context.getBean(Api.class)::call)).isEqualTo(1));
	}

	@Test
	void prefersAnInheritedMethodToTheClass() {
		this.runner.withBean(InheritedMethodAndClass.class).run((context) -> {
			assertThat(passes(context.getBean(Api.class)::call)).isEqualTo(2);
			assertThat(passes(context.getBean(Api.class)::other)).isEqualTo(3);
		});
	}

	@Test
	void prefersTheClassToItsSuperclass() {
		this.runner.withBean(ClassAndSuperclass.class)
			.run((context) -> assertThat(passes(context.getBean(Api.class)::call)).isEqualTo(3));
	}

	@Test
	void prefersTheMethodToTheInterfaceMethod() {
		this.runner.withBean(MethodAndInterfaceMethod.class)
			.run((context) -> assertThat(passes(context.getBean(LimitedMethodApi.class)::call)).isEqualTo(1));
	}

	@Test
	void prefersTheClassToTheInterfaceMethod() {
		this.runner.withBean(ClassAndInterfaceMethod.class)
			.run((context) -> assertThat(passes(context.getBean(LimitedMethodApi.class)::call)).isEqualTo(3));
	}

	@Test
	void prefersTheSuperclassToTheInterfaceMethod() {
		this.runner.withBean(SuperclassAndInterfaceMethod.class)
			.run((context) -> assertThat(passes(context.getBean(LimitedMethodApi.class)::call)).isEqualTo(4));
	}

	@Test
	void prefersTheInterfaceMethodToTheInterface() {
		this.runner.withBean(OfLimitedInterfaceAndMethod.class).run((context) -> {
			LimitedInterfaceAndMethod api = context.getBean(LimitedInterfaceAndMethod.class);
			assertThat(passes(api::call)).isEqualTo(5);
			assertThat(passes(api::other)).isEqualTo(6);
		});
	}

	@Test
	void takesNothingFromThePlaceThatDoesNotWin() {
		this.runner.withBean(Refusing.class)
			.run((context) -> assertThat(passes(context.getBean(Api.class)::call)).isEqualTo(1));
	}

	@Test
	void prefersOneLimitOfTheMethodToSeveralOfItsClass() {
		this.runner.withBean(OneReplacesSeveral.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::call)).isEqualTo(4);
			assertThat(passes(api::other)).isEqualTo(2);
		});
	}

	@Test
	void limitsAGenericMethodOfAnInterface() {
		this.runner.withBean(OfGenericInterface.class).run((context) -> {
			LimitedHandler<String> handler = handler(context.getBean(LimitedHandler.class));
			assertThat(passes(() -> handler.handle("a"))).isEqualTo(5);
			assertThat(refusingBucket(() -> handler.handle("a"))).isEqualTo("OfGenericInterface.handle");
		});
	}

	@Test
	void limitsTheImplementationOfAGenericMethodCalledThroughItsBridge() {
		this.runner.withBean(ImplementsGeneric.class).run((context) -> {
			Handler<String> handler = handler(context.getBean(Handler.class));
			assertThat(passes(() -> handler.handle("a"))).isEqualTo(1);
			if (this.classProxies) {
				ImplementsGeneric bean = context.getBean(ImplementsGeneric.class);
				this.time.advance(Duration.ofSeconds(1));
				assertThat(passes(() -> bean.handle("a"))).isEqualTo(1);
			}
		});
	}

	@Test
	void limitsAnOverriddenMethodOfAGenericSuperclass() {
		this.runner.withBean(OfGenericSuperclass.class).run((context) -> {
			Handler<String> handler = handler(context.getBean(Handler.class));
			assertThat(passes(() -> handler.handle("a"))).isEqualTo(2);
			assertThat(refusingBucket(() -> handler.handle("a"))).isEqualTo("OfGenericSuperclass.handle");
		});
	}

	@Test
	void limitsAnInheritedMethodOfAGenericSuperclass() {
		this.runner.withBean(InheritsGeneric.class).run((context) -> {
			Handler<String> handler = handler(context.getBean(Handler.class));
			assertThat(passes(() -> handler.handle("a"))).isEqualTo(2);
		});
	}

	@Test
	void limitsAMethodWithANarrowerResultThanItsInterface() {
		this.runner.withBean(NarrowerResult.class)
			.run((context) -> assertThat(passes(context.getBean(Source.class)::get)).isEqualTo(1));
	}

	@Test
	void limitsAPublicMethodInheritedFromAClassThatIsNot() {
		this.runner.withBean(Visible.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::call)).isEqualTo(2);
			assertThat(refusingBucket(api::call)).isEqualTo("Visible.call");
		});
	}

	@Test
	void honoursTheAliasesOfAComposedAnnotation() {
		this.runner.withBean(Composed.class).run((context) -> {
			UserApi api = context.getBean(UserApi.class);
			assertThat(passes(() -> api.call("alice"))).isEqualTo(2);
			assertThat(passes(() -> api.call("bob"))).isEqualTo(2);
			assertThat(refusingBucket(() -> api.call("bob"))).isEqualTo("Composed.call");
		});
	}

	@Test
	void honoursAComposedAnnotationOnAClass() {
		this.runner.withBean(ComposedOnClass.class).run((context) -> {
			UserApi api = context.getBean(UserApi.class);
			assertThat(passes(() -> api.call("alice"))).isEqualTo(3);
			assertThat(passes(() -> api.call("bob"))).isEqualTo(3);
		});
	}

	@Test
	void honoursAComposedAnnotationOnAnInterfaceMethod() {
		this.runner.withBean(OfComposedApi.class).run((context) -> {
			ComposedApi api = context.getBean(ComposedApi.class);
			assertThat(passes(() -> api.call("alice"))).isEqualTo(4);
			assertThat(passes(() -> api.call("bob"))).isEqualTo(4);
		});
	}

	@Test
	void honoursAnAnnotationComposedOfAComposedOne() {
		this.runner.withBean(ComposedTwice.class).run((context) -> {
			UserApi api = context.getBean(UserApi.class);
			assertThat(passes(() -> api.call("alice"))).isEqualTo(7);
			assertThat(refusingBucket(() -> api.call("alice"))).isEqualTo("twice");
		});
	}

	@Test
	void appliesTwoComposedAnnotationsOfOneMethod() {
		this.runner.withBean(TwoComposed.class).run((context) -> {
			UserApi api = context.getBean(UserApi.class);
			assertThat(passes(() -> api.call("alice"))).isEqualTo(2);
			assertThat(passes(() -> api.call("bob"))).isEqualTo(1);
			assertThat(refusal(() -> api.call("bob")).getBucketName()).isEqualTo("daily");
		});
	}

	@Test
	void appliesAComposedAndADirectAnnotationOfOneMethod() {
		this.runner.withBean(ComposedAndDirect.class).run((context) -> {
			UserApi api = context.getBean(UserApi.class);
			assertThat(passes(() -> api.call("alice"))).isEqualTo(2);
			assertThat(passes(() -> api.call("bob"))).isEqualTo(1);
			assertThat(refusal(() -> api.call("bob")).getBucketName()).isEqualTo("direct");
		});
	}

	@Test
	void numbersComposedAndDirectAnnotationsAsTheyAreWritten() {
		this.runner.withBean(ComposedBeforeDirect.class).withBean(DirectBeforeComposed.class).run((context) -> {
			assertThat(Limits.available(context, "ComposedBeforeDirect.call")).isEqualTo(7);
			assertThat(Limits.available(context, "ComposedBeforeDirect.call-2")).isEqualTo(8);
			assertThat(Limits.available(context, "DirectBeforeComposed.call")).isEqualTo(8);
			assertThat(Limits.available(context, "DirectBeforeComposed.call-2")).isEqualTo(7);
		});
	}

	@Test
	void appliesAllLimitsOfAnAnnotationComposedOfSeveral() {
		this.runner.withBean(ComposedOfSeveral.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::call)).isEqualTo(2);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(passes(api::call)).isEqualTo(1);
		});
	}

	@Test
	void prefersADirectAnnotationToAComposedOneOfTheClass() {
		this.runner.withBean(DirectOverComposedClass.class).run((context) -> {
			UserApi api = context.getBean(UserApi.class);
			assertThat(passes(() -> api.call("alice"))).isEqualTo(1);
			assertThat(passes(() -> api.call("bob"))).isZero();
		});
	}

	@Test
	void limitsPerSecondAndPerDay() {
		this.runner.withBean(Repeated.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::call)).isEqualTo(2);
			assertThat(refusal(api::call).getBucketName()).isEqualTo("Repeated.call");
			this.time.advance(Duration.ofSeconds(1));
			assertThat(passes(api::call)).isEqualTo(1);
			assertThat(refusal(api::call)).satisfies((ex) -> {
				assertThat(ex.getBucketName()).isEqualTo("Repeated.call-2");
				assertThat(ex.getRetryAfter()).isGreaterThan(Duration.ofHours(7));
			});
		});
	}

	@Test
	void readsAContainerAsTheLimitsItHolds() {
		this.runner.withBean(Contained.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::call)).isEqualTo(2);
			assertThat(passes(api::other)).isEqualTo(3);
		});
	}

	@Test
	void repeatsLimitsOnAClass() {
		this.runner.withBean(RepeatedOnClass.class).run((context) -> {
			Api api = context.getBean(Api.class);
			api.call();
			assertThat(passes(api::other)).isEqualTo(1);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(passes(api::call)).isEqualTo(1);
			assertThat(refusal(api::other).getBucketName()).isEqualTo("RepeatedOnClass-2");
		});
	}

	@Test
	void repeatsLimitsOnAnInterface() {
		this.runner.withBean(OfRepeatedInterface.class).run((context) -> {
			RepeatedInterface api = context.getBean(RepeatedInterface.class);
			assertThat(passes(api::call)).isEqualTo(2);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(passes(api::call)).isEqualTo(1);
		});
	}

	@Test
	void exemptsAMethodFromTheLimitOfItsClass() {
		this.runner.withBean(ExemptMethod.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::call)).isEqualTo(UNLIMITED);
			assertThat(passes(api::other)).isEqualTo(3);
			assertThat(passes(api::call)).isEqualTo(UNLIMITED);
		});
	}

	@Test
	void exemptsAMethodThatOverridesAnExemptOne() {
		this.runner.withBean(OverridesExempt.class).run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::call)).isEqualTo(UNLIMITED);
			assertThat(passes(api::other)).isEqualTo(3);
		});
	}

	@Test
	void exemptsAMethodFromTheLimitOfASuperclass() {
		this.runner.withBean(ExemptFromSuperclass.class).run((context) -> {
			assertThat(passes(context.getBean(Api.class)::call)).isEqualTo(UNLIMITED);
			assertThat(passes(context.getBean(Api.class)::other)).isEqualTo(4);
		});
	}

	@Test
	void exemptsAMethodFromTheLimitOfTheMethodThatItOverrides() {
		this.runner.withBean(ExemptFromOverridden.class)
			.run((context) -> assertThat(passes(context.getBean(Api.class)::call)).isEqualTo(UNLIMITED));
	}

	@Test
	void limitsAgainAMethodThatOverridesAnExemptOne() {
		this.runner.withBean(LimitsExemptAgain.class)
			.run((context) -> assertThat(passes(context.getBean(Api.class)::call)).isEqualTo(1));
	}

	@Test
	void exemptsAMethodFromTheLimitOfItsInterfaceMethod() {
		this.runner.withBean(ExemptFromInterfaceMethod.class)
			.run((context) -> assertThat(passes(context.getBean(LimitedMethodApi.class)::call)).isEqualTo(UNLIMITED));
	}

	@Test
	void exemptsAnInterfaceMethodFromTheLimitOfItsInterface() {
		this.runner.withBean(OfExemptInterfaceMethod.class).run((context) -> {
			ExemptApi api = context.getBean(ExemptApi.class);
			assertThat(passes(api::call)).isEqualTo(UNLIMITED);
			assertThat(passes(api::other)).isEqualTo(6);
		});
	}

	@Test
	void prefersTheClassToAnExemptInterfaceMethod() {
		this.runner.withBean(ClassAndExemptInterfaceMethod.class)
			.run((context) -> assertThat(passes(context.getBean(ExemptApi.class)::call)).isEqualTo(3));
	}

	@Test
	void exemptsTheImplementationOfAGenericMethod() {
		this.runner.withBean(ExemptGeneric.class).run((context) -> {
			LimitedHandler<String> handler = handler(context.getBean(LimitedHandler.class));
			assertThat(passes(() -> handler.handle("a"))).isEqualTo(UNLIMITED);
		});
	}

	@SuppressWarnings("unchecked")
	private static <T> T handler(Object bean) {
		return (T) bean;
	}

	public interface Api {

		void call();

		void other();

	}

	public interface Inherited {

		void inherited();

	}

	static class OnMethod implements Api {

		@Override
		@RateLimited(rate = 1)
		public void call() {
		}

		@Override
		public void other() {
		}

	}

	static class Plain implements Api, Inherited {

		@Override
		public void call() {
		}

		@Override
		public void other() {
		}

		@Override
		public void inherited() {
		}

	}

	@RateLimited(rate = 3)
	static class OnClass extends Plain {

		@Override
		public void call() {
		}

		@Override
		public void other() {
		}

		@Override
		public boolean equals(Object other) {
			return this == other;
		}

		@Override
		public int hashCode() {
			return 7;
		}

		@Override
		public String toString() {
			return "OnClass";
		}

	}

	@RateLimited(rate = 3)
	static class WithoutInterface {

		public void call() {
		}

		public static void helper() {
		}

		protected void ofTheFamily() {
		}

		void packagePrivate() {
		}

	}

	static class NotPublic {

		@RateLimited(rate = 1)
		void packagePrivate() {
		}

		@RateLimited(rate = 2)
		protected void ofTheFamily() {
		}

	}

	public interface LimitedMethodApi extends Api {

		@Override
		@RateLimited(rate = 5)
		void call();

	}

	static class OfLimitedMethod extends Plain implements LimitedMethodApi {

		@Override
		public void call() {
		}

	}

	public interface ExtendedApi extends LimitedMethodApi {

	}

	static class OfExtendedApi implements ExtendedApi {

		@Override
		public void call() {
		}

		@Override
		public void other() {
		}

	}

	public interface DefaultMethodApi {

		@RateLimited(rate = 5)
		default void call() {
		}

	}

	static class OfDefaultMethod implements DefaultMethodApi {

	}

	@RateLimited(rate = 6)
	public interface LimitedInterface {

		void call();

		void other();

	}

	static class OfLimitedInterface implements LimitedInterface, Inherited {

		@Override
		public void call() {
		}

		@Override
		public void other() {
		}

		@Override
		public void inherited() {
		}

	}

	static class LimitedParent implements Api {

		@Override
		@RateLimited(rate = 2)
		public void call() {
		}

		@Override
		public void other() {
		}

	}

	static class InheritsMethod extends LimitedParent {

	}

	static class OverridesMethod extends LimitedParent {

		@Override
		public void call() {
		}

	}

	abstract static class LimitedAbstract implements Api {

		@Override
		@RateLimited(rate = 2)
		public abstract void call();

		@Override
		public void other() {
		}

	}

	static class ImplementsAbstract extends LimitedAbstract {

		@Override
		public void call() {
		}

	}

	@RateLimited(rate = 4)
	static class LimitedSuperclass extends Plain {

	}

	static class OfLimitedSuperclass extends LimitedSuperclass {

		@Override
		public void other() {
		}

	}

	static class AnotherOfLimitedSuperclass extends LimitedSuperclass {

	}

	@RateLimited(rate = 3)
	static class MethodAndClass extends Plain {

		@Override
		@RateLimited(rate = 1)
		public void call() {
		}

	}

	static class ReplacesMethod extends LimitedParent {

		@Override
		@RateLimited(rate = 1)
		public void call() {
		}

	}

	@RateLimited(rate = 3)
	static class InheritedMethodAndClass extends LimitedParent {

	}

	@RateLimited(rate = 3)
	static class ClassAndSuperclass extends LimitedSuperclass {

	}

	static class MethodAndInterfaceMethod extends Plain implements LimitedMethodApi {

		@Override
		@RateLimited(rate = 1)
		public void call() {
		}

	}

	@RateLimited(rate = 3)
	static class ClassAndInterfaceMethod extends Plain implements LimitedMethodApi {

	}

	static class SuperclassAndInterfaceMethod extends LimitedSuperclass implements LimitedMethodApi {

	}

	@RateLimited(rate = 6)
	public interface LimitedInterfaceAndMethod {

		@RateLimited(rate = 5)
		void call();

		void other();

	}

	static class OfLimitedInterfaceAndMethod implements LimitedInterfaceAndMethod {

		@Override
		public void call() {
		}

		@Override
		public void other() {
		}

	}

	@RateLimited(rate = 3, mode = RateLimitMode.WAIT, tokens = "3")
	static class Refusing extends Plain {

		@Override
		@RateLimited(rate = 1)
		public void call() {
		}

	}

	@RateLimited(rate = 2)
	@RateLimited(rate = 3, per = "1d")
	static class OneReplacesSeveral extends Plain {

		@Override
		@RateLimited(rate = 4)
		public void call() {
		}

	}

	public interface Handler<T> {

		void handle(T value);

	}

	public interface LimitedHandler<T> {

		@RateLimited(rate = 5)
		void handle(T value);

	}

	static class OfGenericInterface implements LimitedHandler<String> {

		@Override
		public void handle(String value) {
		}

	}

	static class ImplementsGeneric implements Handler<String> {

		@Override
		@RateLimited(rate = 1)
		public void handle(String value) {
		}

	}

	abstract static class GenericSuperclass<T> implements Handler<T> {

		@Override
		@RateLimited(rate = 2)
		public void handle(T value) {
		}

	}

	static class OfGenericSuperclass extends GenericSuperclass<String> {

		@Override
		public void handle(String value) {
		}

	}

	static class InheritsGeneric extends GenericSuperclass<String> {

	}

	public interface Source {

		Object get();

	}

	static class NarrowerResult implements Source {

		@Override
		@RateLimited(rate = 1)
		public String get() {
			return "";
		}

	}

	public static class Visible extends LimitedParent {

	}

	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited(key = "#userId")
	@interface PerUser {

		@AliasFor(annotation = RateLimited.class, attribute = "rate")
		double rate();

		@AliasFor(annotation = RateLimited.class, attribute = "name")
		String bucket() default "";

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited(name = "daily", per = "1d")
	@interface Daily {

		@AliasFor(annotation = RateLimited.class)
		double rate();

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@PerUser(rate = 1, bucket = "twice")
	@interface Twice {

		@AliasFor(annotation = PerUser.class, attribute = "rate")
		double often();

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited(rate = 2)
	@RateLimited(rate = 3, per = "1d")
	@interface Fair {

	}

	public interface UserApi {

		void call(String userId);

	}

	static class Composed implements UserApi {

		@Override
		@PerUser(rate = 2)
		public void call(String userId) {
		}

	}

	@PerUser(rate = 3)
	static class ComposedOnClass implements UserApi {

		@Override
		public void call(String userId) {
		}

	}

	public interface ComposedApi {

		@PerUser(rate = 4)
		void call(String userId);

	}

	static class OfComposedApi implements ComposedApi {

		@Override
		public void call(String userId) {
		}

	}

	static class ComposedTwice implements UserApi {

		@Override
		@Twice(often = 7)
		public void call(String userId) {
		}

	}

	static class TwoComposed implements UserApi {

		@Override
		@PerUser(rate = 2)
		@Daily(rate = 3)
		public void call(String userId) {
		}

	}

	static class ComposedAndDirect implements UserApi {

		@Override
		@PerUser(rate = 2)
		@RateLimited(name = "direct", rate = 3)
		public void call(String userId) {
		}

	}

	static class ComposedBeforeDirect implements UserApi {

		@Override
		@PerUser(rate = 7)
		@RateLimited(rate = 8)
		public void call(String userId) {
		}

	}

	static class DirectBeforeComposed implements UserApi {

		@Override
		@RateLimited(rate = 8)
		@PerUser(rate = 7)
		public void call(String userId) {
		}

	}

	static class ComposedOfSeveral extends Plain {

		@Override
		@Fair
		public void call() {
		}

	}

	@PerUser(rate = 3)
	static class DirectOverComposedClass implements UserApi {

		@Override
		@RateLimited(rate = 1)
		public void call(String userId) {
		}

	}

	static class Repeated extends Plain {

		@Override
		@RateLimited(rate = 2)
		@RateLimited(rate = 3, per = "1d")
		public void call() {
		}

	}

	static class Contained extends Plain {

		@Override
		@RateLimits({ @RateLimited(rate = 2), @RateLimited(rate = 3, per = "1d") })
		public void call() {
		}

		@Override
		@RateLimits(@RateLimited(rate = 3))
		public void other() {
		}

	}

	@RateLimited(rate = 2)
	@RateLimited(rate = 3, per = "1d")
	static class RepeatedOnClass extends Plain {

	}

	@RateLimited(rate = 2)
	@RateLimited(rate = 3, per = "1d")
	public interface RepeatedInterface {

		void call();

	}

	static class OfRepeatedInterface implements RepeatedInterface {

		@Override
		public void call() {
		}

	}

	@RateLimited(rate = 3)
	static class ExemptMethod extends Plain {

		@Override
		@RateLimited.Exempt
		public void call() {
		}

	}

	static class OverridesExempt extends ExemptMethod {

		@Override
		public void call() {
		}

	}

	static class ExemptFromSuperclass extends LimitedSuperclass {

		@Override
		@RateLimited.Exempt
		public void call() {
		}

	}

	static class ExemptFromOverridden extends LimitedParent {

		@Override
		@RateLimited.Exempt
		public void call() {
		}

	}

	static class LimitsExemptAgain extends ExemptMethod {

		@Override
		@RateLimited(rate = 1)
		public void call() {
		}

	}

	static class ExemptFromInterfaceMethod extends Plain implements LimitedMethodApi {

		@Override
		@RateLimited.Exempt
		public void call() {
		}

	}

	@RateLimited(rate = 6)
	public interface ExemptApi {

		@RateLimited.Exempt
		void call();

		void other();

	}

	static class OfExemptInterfaceMethod implements ExemptApi {

		@Override
		public void call() {
		}

		@Override
		public void other() {
		}

	}

	@RateLimited(rate = 3)
	static class ClassAndExemptInterfaceMethod implements ExemptApi {

		@Override
		public void call() {
		}

		@Override
		public void other() {
		}

	}

	static class ExemptGeneric implements LimitedHandler<String> {

		@Override
		@RateLimited.Exempt
		public void handle(String value) {
		}

	}

}
