package dev.ratelimit.web.reactive;

import java.util.Objects;
import java.util.stream.Stream;

import dev.ratelimit.core.RateLimitExceededException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMappingInfo;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/**
 * Warns at startup of exception handlers that take any exception and are asked before
 * those of this library.
 */
public final class CatchAllHandlersCheck implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(CatchAllHandlersCheck.class);

	private final ApplicationContext context;

	/**
	 * Creates a check.
	 * @param context the application that is looked at
	 */
	public CatchAllHandlersCheck(ApplicationContext context) {
		this.context = context;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Stream<Class<?>> advices = ControllerAdviceBean.findAnnotatedBeans(this.context)
			.stream()
			.filter((advice) -> advice.getOrder() == Ordered.HIGHEST_PRECEDENCE)
			.<@Nullable Class<?>>map(ControllerAdviceBean::getBeanType)
			.filter(Objects::nonNull);
		advices.forEach((type) -> warnOf(type, "has the highest precedence: give it a lower one (@Order)"));
		controllers()
			.forEach((type) -> warnOf(type, "is a controller: move the handler to an advice (@ControllerAdvice)"));
	}

	private Stream<Class<?>> controllers() {
		return this.context.getBeanProvider(RequestMappingHandlerMapping.class)
			.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().values().stream())
			.<Class<?>>map(HandlerMethod::getBeanType)
			.map(ClassUtils::getUserClass)
			.distinct();
	}

	private static void warnOf(Class<?> type, String place) {
		ExceptionHandlerMappingInfo mapping = new ExceptionHandlerMethodResolver(type)
			.resolveExceptionMappingByExceptionType(RateLimitExceededException.class, MediaType.ALL);
		if (mapping != null && !ExceptionHandlers.names(mapping, RateLimitExceededException.class)) {
			logger.warn(("%s.%s answers any exception, also that of a refused call, which is otherwise answered with"
					+ " status 429, for its class %s, or add a handler for %s.")
				.formatted(type.getName(), mapping.getHandlerMethod().getName(), place,
						RateLimitExceededException.class.getSimpleName()));
		}
	}

}
