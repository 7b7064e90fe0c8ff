package dev.ratelimit.aspect;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.aspect.unmanaged.Managed;
import dev.ratelimit.aspect.unmanaged.Unmanaged;
import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import dev.ratelimit.core.RateLimitExceededException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.ratelimit.aspect.Limits.passes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What startup says of annotations that would do nothing, or not what they say.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartupChecksTests {

	private final ApplicationContextRunner runner = Limits.runner();

	private final ApplicationContextRunner withCaller = this.runner.withBean(CallContext.Source.class,
			() -> () -> null);

	@ParameterizedTest
	@CsvSource({ "FinalMethod, final", "StaticMethod, static", "PrivateMethod, private", "InheritedFinalMethod, final",
			"FinalMethodOfLimitedClass, final", "FinalClass, final", "LimitedFinalClass, final" })
	void reportsAMethodThatCannotBeIntercepted(String name, String why) {
		Class<?> type = nested(name);
		this.runner.withBean("bean", type)
			.run((context) -> assertThat(Limits.report(context)).contains(type.getName(), "call", "'bean'", why));
	}

	@Test
	void reportsAMethodOfARecord() {
		this.runner.withBean("bean", Record.class, () -> new Record("x"))
			.run((context) -> assertThat(Limits.report(context)).contains(Record.class.getName(), "call", "final"));
	}

	@Test
	void reportsAMethodOfAJdkProxyThatNoInterfaceHas() {
		this.runner.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean(Api.class, WithoutInterfaceMethod::new)
			.run((context) -> assertThat(Limits.report(context)).contains(WithoutInterfaceMethod.class.getName(),
					"extra", "spring.aop.proxy-target-class"));
	}

	@Test
	void limitsAFinalClassThroughItsInterface() {
		this.runner.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean(Api.class, FinalWithInterface::new)
			.run((context) -> assertThat(passes(context.getBean(Api.class)::call)).isEqualTo(1));
	}

	@ParameterizedTest
	@ValueSource(classes = { UnparsableKey.class, UnparsableTokens.class, UnparsableCondition.class })
	void reportsAnExpressionThatCannotBeParsed(Class<?> type) {
		String attribute = type.getSimpleName().substring("Unparsable".length()).toLowerCase();
		this.runner.withBean(type)
			.run((context) -> assertThat(Limits.report(context)).contains(type.getName() + ".call(String)",
					attribute + " = \"#user ==\"", "SpEL"));
	}

	@ParameterizedTest
	@ValueSource(classes = { UnknownVariable.class, UnknownVariableInside.class, UnknownVariableOfCondition.class,
			UnknownVariableOfTokens.class, UnknownPosition.class, UnknownVariableOfClass.class })
	void reportsAVariableThatIsNoParameter(Class<?> type) {
		this.runner.withBean(type)
			.run((context) -> assertThat(Limits.report(context)).contains(type.getName(), "parameter", "user")
				.containsAnyOf("#usr", "#p1"));
	}

	@Test
	void asksWhetherABareNameWasMeantToBeAParameter() {
		this.runner.withBean(BareName.class).run((context) -> {
			List<Fault> faults = Limits.faults(context);
			assertThat(faults).hasSize(1);
			assertThat(faults.get(0).problem()).contains(BareName.class.getName() + ".call(String)", "'userId'");
			assertThat(faults.get(0).remedy()).contains("Did you mean #userId?");
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { BareNameAtTheBeginning.class, BareNameInACall.class })
	void asksWhetherABareNameInsideAnExpressionWasMeantToBeAParameter(Class<?> type) {
		this.runner.withBean(type)
			.withBean("tenants", Tenants.class)
			.run((context) -> assertThat(Limits.report(context)).contains(type.getName(), "Did you mean #user?"));
	}

	@Test
	void namesWhatAnExpressionSeesWhereABareNameIsUnknown() {
		this.runner.withBean(UnknownName.class)
			.run((context) -> assertThat(Limits.report(context)).contains(UnknownName.class.getName(), "tenant",
					"clientIp", "principal", "header"));
	}

	@ParameterizedTest
	@CsvSource({ "UnknownFunction, #hash", "UnknownMethod, hash" })
	void reportsAnUnknownFunctionAndAnUnknownMethod(String name, String called) {
		Class<?> type = nested(name);
		this.runner.withBean(type)
			.run((context) -> assertThat(Limits.report(context)).contains(type.getName() + ".call(String)", called,
					"@bean"));
	}

	@Test
	void acceptsTheNamesOfTheCaller() {
		this.withCaller.withBean(ByCaller.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(classes = { ByClientIp.class, ByCallerInside.class })
	void reportsAKeyThatAsksForACallerWhereNobodyKnowsIt(Class<?> type) {
		this.runner.withBean(type)
			.run((context) -> assertThat(Limits.report(context)).contains(type.getName() + ".call(String)"));
	}

	@Test
	void acceptsEveryNameThatAnExpressionCanAnswer() {
		this.runner.withBean(Fine.class).withBean("tenants", Tenants.class).run((context) -> {
			assertThat(context).hasNotFailed();
			Fine fine = context.getBean(Fine.class);
			assertThat(passes(() -> fine.call("alice", List.of(new Line("a")), Map.of("id", "b")))).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@CsvSource({ "NoFallback, String refused(java.lang.String)", "WrongParameters, int refused(int)",
			"WrongResult, String refused(java.lang.String)", "VoidFallback, String refused(java.lang.String)",
			"ResultOfVoid, void refused(java.lang.String)", "WrongException, void refused(java.lang.String)",
			"ExceptionFirst, String refused(java.lang.String)", "WrongElements, String> refused(java.lang.String)" })
	void namesTheExactSignatureOfAFallback(String name, String signature) {
		Class<?> type = nested(name);
		this.runner.withBean(type)
			.run((context) -> assertThat(Limits.report(context)).contains(type.getName() + ".call(",
					"fallback = \"refused\"", signature, RateLimitExceededException.class.getName()));
	}

	@Test
	void reportsAFallbackWhoseExceptionTheMethodDoesNotDeclare() {
		this.runner.withBean(Throwing.class)
			.run((context) -> assertThat(Limits.report(context)).contains(Throwing.class.getName() + ".call(String)",
					"fallback = \"refused\"", IOException.class.getName()));
	}

	@Test
	void acceptsAFallbackWhoseExceptionTheMethodDeclares() {
		this.runner.withBean(Declaring.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void listsAllFaultsOfAContextInOneReport() {
		this.runner.withBean(FinalMethod.class)
			.withBean(FinalClass.class)
			.withBean(UnparsableKey.class)
			.withBean(UnknownVariable.class)
			.withBean(BareName.class)
			.withBean(UnknownFunction.class)
			.withBean(NoFallback.class)
			.withBean(WithoutRate.class)
			.withBean(ManyFaults.class)
			.run((context) -> {
				assertThat(Limits.report(context)).contains(FinalMethod.class.getName(), FinalClass.class.getName(),
						UnparsableKey.class.getName(), UnknownVariable.class.getName(), BareName.class.getName(),
						UnknownFunction.class.getName(), NoFallback.class.getName(), WithoutRate.class.getName());
				assertThat(Limits.faults(context)).extracting(Fault::problem)
					.filteredOn((problem) -> problem.contains(ManyFaults.class.getName()))
					.hasSize(6);
			});
	}

	@Test
	void reportsAConditionThatIsNeverATruthValue() {
		this.runner.withBean(NoTruth.class)
			.run((context) -> assertThat(Limits.report(context)).contains(NoTruth.class.getName() + ".call()",
					"condition", "yes"));
	}

	@ParameterizedTest
	@ValueSource(classes = { BlankName.class, DashesForAName.class })
	void reportsANameWithoutLettersAndDigits(Class<?> type) {
		this.runner.withBean(type)
			.run((context) -> assertThat(Limits.report(context)).contains(type.getName() + ".call()", "name"));
	}

	@Test
	void warnsOfAMaxWaitWhereNothingWaits(CapturedOutput output) {
		this.runner.withBean(MaxWaitOfReject.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("maxWait of " + MaxWaitOfReject.class.getName() + ".call() does nothing");
		});
	}

	@Test
	void doesNotWarnOfAMaxWaitWhereTheConfigurationChoosesTheMode(CapturedOutput output) {
		this.runner.withBean(MaxWaitOfReject.class)
			.withPropertyValues("ratelimit.buckets[MaxWaitOfReject.call].mode=reject")
			.run((context) -> assertThat(output).doesNotContain("does nothing"));
	}

	@Test
	void reportsAFaultOnceForSeveralBeansOfAClass() {
		this.runner.withBean("one", BareName.class)
			.withBean("two", BareName.class)
			.run((context) -> assertThat(Limits.faults(context)).hasSize(1));
	}

	@Test
	void logsAllFaultsAndStartsWhereItIsToWarn(CapturedOutput output) {
		this.runner.withBean(FinalMethod.class)
			.withBean(BareName.class)
			.withBean("fine", Managed.class)
			.withPropertyValues("ratelimit.verify=warn")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(warnings(output, FinalMethod.class)).isEqualTo(1);
				assertThat(warnings(output, BareName.class)).isEqualTo(1);
				assertThat(output).contains("Did you mean #userId?");
				assertThat(passes(context.getBean(Managed.class)::call)).isEqualTo(1);
			});
	}

	@Test
	void logsAFinalClassAndStartsWhereItIsToWarn(CapturedOutput output) {
		this.runner.withBean(FinalClass.class).withPropertyValues("ratelimit.verify=warn").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(warnings(output, FinalClass.class)).isEqualTo(1);
		});
	}

	@Test
	void startsSilentlyWhereChecksAreOff(CapturedOutput output) {
		this.runner.withBean(FinalMethod.class)
			.withBean(FinalClass.class)
			.withBean(BareName.class)
			.withPropertyValues("ratelimit.verify=off")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain("StartupChecksTests$");
			});
	}

	@Test
	void checksNothingWhereLimitsAreDisabled(CapturedOutput output) {
		this.runner.withBean(FinalMethod.class)
			.withBean(BareName.class)
			.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain("StartupChecksTests$");
			});
	}

	@Test
	void warnsOfAnAnnotatedClassOfTheApplicationThatIsNoBean(CapturedOutput output) {
		application().withBean(Managed.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(warnings(output, Unmanaged.class)).isEqualTo(1);
			assertThat(warnings(output, Managed.class)).isZero();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.verify=off", "ratelimit.enabled=false" })
	void doesNotWarnOfAClassThatIsNoBeanWhereChecksAreOff(String property, CapturedOutput output) {
		application().withPropertyValues(property).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(warnings(output, Unmanaged.class)).isZero();
		});
	}

	private ApplicationContextRunner application() {
		return this.runner.withInitializer((context) -> AutoConfigurationPackages
			.register((BeanDefinitionRegistry) context.getBeanFactory(), Managed.class.getPackageName()));
	}

	private static long warnings(CapturedOutput output, Class<?> type) {
		return output.toString()
			.lines()
			.filter((line) -> line.contains("WARN") && line.contains(type.getName()))
			.count();
	}

	private static Class<?> nested(String name) {
		try {
			return Class.forName(StartupChecksTests.class.getName() + "$" + name);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	interface Api {

		void call();

	}

	static class FinalMethod {

		@RateLimited(rate = 1)
		final void call() {
		}

	}

	static class InheritedFinalMethod extends FinalMethod {

	}

	static class StaticMethod {

		@RateLimited(rate = 1)
		static void call() {
		}

	}

	static class PrivateMethod {

		@RateLimited(rate = 1)
		private void call() {
		}

	}

	@RateLimited(rate = 1)
	static class FinalMethodOfLimitedClass {

		public final void call() {
		}

	}

	static final class FinalClass {

		@RateLimited(rate = 1)
		void call() {
		}

	}

	@RateLimited(rate = 1)
	static final class LimitedFinalClass {

		public void call() {
		}

	}

	record Record(String name) {

		@RateLimited(rate = 1)
		void call() {
		}

	}

	static class WithoutInterfaceMethod implements Api {

		@Override
		@RateLimited(rate = 1)
		public void call() {
		}

		@RateLimited(rate = 1)
		public void extra() {
		}

	}

	static final class FinalWithInterface implements Api {

		@Override
		@RateLimited(rate = 1)
		public void call() {
		}

	}

	static class UnparsableKey {

		@RateLimited(rate = 1, key = "#user ==")
		void call(String user) {
		}

	}

	static class UnparsableTokens {

		@RateLimited(rate = 1, tokens = "#user ==")
		void call(String user) {
		}

	}

	static class UnparsableCondition {

		@RateLimited(rate = 1, condition = "#user ==")
		void call(String user) {
		}

	}

	static class UnknownVariable {

		@RateLimited(rate = 1, key = "#usr")
		void call(String user) {
		}

	}

	static class UnknownVariableInside {

		@RateLimited(rate = 1, key = "'x' + (#user != null ? #usr.trim() : '')")
		void call(String user) {
		}

	}

	static class UnknownVariableOfCondition {

		@RateLimited(rate = 1, condition = "#usr != null")
		void call(String user) {
		}

	}

	static class UnknownVariableOfTokens {

		@RateLimited(rate = 1, tokens = "#usr.length()")
		void call(String user) {
		}

	}

	static class UnknownPosition {

		@RateLimited(rate = 1, key = "#p1")
		void call(String user) {
		}

	}

	@RateLimited(rate = 1, key = "#usr")
	static class UnknownVariableOfClass {

		public void call(String user) {
		}

	}

	static class BareName {

		@RateLimited(rate = 1, key = "userId")
		void call(String userId) {
		}

	}

	static class BareNameAtTheBeginning {

		@RateLimited(rate = 1, key = "user.trim() + '-'")
		void call(String user) {
		}

	}

	static class BareNameInACall {

		@RateLimited(rate = 1, key = "@tenants.of(user)")
		void call(String user) {
		}

	}

	static class UnknownName {

		@RateLimited(rate = 1, key = "tenant")
		void call(String user) {
		}

	}

	static class UnknownFunction {

		@RateLimited(rate = 1, key = "#hash(#user)")
		void call(String user) {
		}

	}

	static class UnknownMethod {

		@RateLimited(rate = 1, key = "hash(#user)")
		void call(String user) {
		}

	}

	static class ByCaller {

		@RateLimited(name = "a", rate = 1, key = "clientIp")
		@RateLimited(name = "b", rate = 1, key = "principal")
		@RateLimited(name = "c", rate = 1, key = "header('X-Api-Key')")
		@RateLimited(name = "d", rate = 1, key = "{clientIp, #user ?: principal}")
		@RateLimited(name = "e", rate = 1, key = "#root.clientIp + #root.header('X-Api-Key')")
		void call(String user) {
		}

	}

	static class ByClientIp {

		@RateLimited(rate = 1, key = "clientIp")
		void call(String user) {
		}

	}

	static class ByCallerInside {

		@RateLimited(rate = 1, key = "{#user, header('X-Tenant')}")
		void call(String user) {
		}

	}

	record Line(String name) {

	}

	static class Tenants {

		public String of(String user) {
			return user;
		}

	}

	static class Fine {

		@RateLimited(name = "a", rate = 1, key = "method.name + args[0] + args.length + target.class.name")
		@RateLimited(name = "b", rate = 1, key = "#root.method.name + #root.args[0] + #this.args[0]")
		@RateLimited(name = "c", rate = 1, key = "#lines.![name]")
		@RateLimited(name = "d", rate = 1, key = "#lines.?[name == 'a'].size()")
		@RateLimited(name = "e", rate = 1, key = "#map[id] + #map['id'] + {name: #user}")
		@RateLimited(name = "f", rate = 1, key = "T(java.lang.Math).max(1, #lines.size())")
		@RateLimited(name = "g", rate = 1, key = "@tenants.of(#user).trim().bytes.length")
		@RateLimited(name = "h", rate = 1, key = "#user?.toUpperCase() ?: 'nobody'")
		@RateLimited(name = "i", rate = 1, key = "new java.lang.String(#p0).length() + #a1[0].name")
		@RateLimited(name = "j", rate = 1, key = "#lines.^[name != null].name")
		void call(String user, List<Line> lines, Map<String, String> map) {
		}

	}

	static class NoFallback {

		@RateLimited(rate = 1, fallback = "refused")
		String call(String user) {
			return user;
		}

	}

	static class WrongParameters {

		@RateLimited(rate = 1, fallback = "refused")
		int call(int user) {
			return user;
		}

		int refused(String user) {
			return 0;
		}

	}

	static class WrongResult {

		@RateLimited(rate = 1, fallback = "refused")
		String call(String user) {
			return user;
		}

		Object refused(String user) {
			return user;
		}

	}

	static class VoidFallback {

		@RateLimited(rate = 1, fallback = "refused")
		String call(String user) {
			return user;
		}

		void refused(String user) {
		}

	}

	static class ResultOfVoid {

		@RateLimited(rate = 1, fallback = "refused")
		void call(String user) {
		}

		String refused(String user) {
			return user;
		}

	}

	static class WrongException {

		@RateLimited(rate = 1, fallback = "refused")
		void call(String user) {
		}

		void refused(String user, IllegalStateException refusal) {
		}

	}

	static class ExceptionFirst {

		@RateLimited(rate = 1, fallback = "refused")
		String call(String user) {
			return user;
		}

		String refused(RateLimitExceededException refusal, String user) {
			return user;
		}

	}

	static class WrongElements {

		@RateLimited(rate = 1, fallback = "refused")
		List<String> call(String user) {
			return List.of(user);
		}

		List<Integer> refused(String user) {
			return List.of(1);
		}

	}

	static class Throwing {

		@RateLimited(rate = 1, fallback = "refused")
		String call(String user) {
			return user;
		}

		String refused(String user) throws IOException {
			throw new IOException(user);
		}

	}

	static class Declaring {

		@RateLimited(rate = 1, fallback = "refused")
		String call(String user) throws Exception {
			return user;
		}

		String refused(String user) throws IOException, IllegalStateException {
			throw new IOException(user);
		}

	}

	static class WithoutRate {

		@RateLimited("forgotten")
		void call() {
		}

	}

	static class NoTruth {

		@RateLimited(rate = 1, condition = "'yes'")
		void call() {
		}

	}

	static class BlankName {

		@RateLimited(name = " ", rate = 1)
		void call() {
		}

	}

	static class DashesForAName {

		@RateLimited(name = "-_-", rate = 1)
		void call() {
		}

	}

	static class MaxWaitOfReject {

		@RateLimited(rate = 1, maxWait = "1s")
		void call() {
		}

	}

	static class ManyFaults {

		@RateLimited(rate = 1, key = "#usr", condition = "#usr ==", tokens = "size", fallback = "refused", per = "soon",
				maxWait = "later")
		void call(String user) {
		}

	}

}
