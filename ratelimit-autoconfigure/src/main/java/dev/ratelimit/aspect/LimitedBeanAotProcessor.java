package dev.ratelimit.aspect;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Tells a native image what limits reach by reflection in the beans of an application:
 * limited methods, their fallbacks, and what expressions may ask of their arguments.
 */
final class LimitedBeanAotProcessor implements BeanRegistrationAotProcessor {

	private final RateLimitedOperationSource operationSource = new RateLimitedOperationSource(UnaryOperator.identity());

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
		List<Method> methods = this.operationSource.limitedMethods(type);
		return methods.isEmpty() ? null : (context, code) -> methods
			.forEach((method) -> register(method, type, context.getRuntimeHints().reflection()));
	}

	private void register(Method method, Class<?> type, ReflectionHints hints) {
		hints.registerMethod(method, ExecutableMode.INVOKE);
		for (RateLimitedOperation operation : this.operationSource.operations(method, type)) {
			if (!operation.fallback().isEmpty()) {
				FallbackMethod.candidates(operation.fallback(), type)
					.forEach((fallback) -> hints.registerMethod(fallback, ExecutableMode.INVOKE));
			}
			if (operation.hasExpressions()) {
				new BindingReflectionHintsRegistrar().registerReflectionHints(hints, method.getGenericParameterTypes());
			}
		}
	}

}
