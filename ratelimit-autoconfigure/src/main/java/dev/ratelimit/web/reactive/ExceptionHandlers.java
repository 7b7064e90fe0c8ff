package dev.ratelimit.web.reactive;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

import dev.ratelimit.web.RateLimitFailures;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMappingInfo;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/**
 * The exception handlers in the advices of an application. A failure of a limit is for
 * those that name its type; any other exception is for the first that takes it, as
 * everywhere in Spring.
 */
final class ExceptionHandlers {

	private final Map<ControllerAdviceBean, ExceptionHandlerMethodResolver> advices = new LinkedHashMap<>();

	ExceptionHandlers(ApplicationContext context) {
		for (ControllerAdviceBean advice : ControllerAdviceBean.findAnnotatedBeans(context)) {
			Class<?> type = advice.getBeanType();
			if (type != null && !RateLimitExceptionAdvice.class.isAssignableFrom(type)) {
				this.advices.put(advice, new ExceptionHandlerMethodResolver(type));
			}
		}
	}

	/**
	 * Finds the handler of an exception.
	 * @param handlerMethod what was to handle the request; {@code null}: no method
	 */
	@Nullable Handler find(Throwable exception, @Nullable HandlerMethod handlerMethod, List<MediaType> accepted) {
		if (RateLimitFailures.findIn(exception) == exception) {
			return find(handlerMethod, accepted, (handlers, mediaType) -> naming(handlers, exception, mediaType));
		}
		return find(handlerMethod, accepted,
				(handlers, mediaType) -> handlers.resolveExceptionMapping(exception, mediaType));
	}

	private @Nullable Handler find(@Nullable HandlerMethod handlerMethod, List<MediaType> accepted,
			BiFunction<ExceptionHandlerMethodResolver, MediaType, @Nullable ExceptionHandlerMappingInfo> search) {
		Class<?> handlerType = (handlerMethod != null) ? handlerMethod.getBeanType() : null;
		for (MediaType mediaType : accepted) {
			for (Map.Entry<ControllerAdviceBean, ExceptionHandlerMethodResolver> advice : this.advices.entrySet()) {
				if (advice.getKey().isApplicableToBeanType(handlerType)) {
					ExceptionHandlerMappingInfo mapping = search.apply(advice.getValue(), mediaType);
					if (mapping != null) {
						return new Handler(advice.getKey(), mapping);
					}
				}
			}
		}
		return null;
	}

	private static @Nullable ExceptionHandlerMappingInfo naming(ExceptionHandlerMethodResolver handlers,
			Throwable failure, MediaType mediaType) {
		ExceptionHandlerMappingInfo mapping = handlers.resolveExceptionMappingByExceptionType(failure.getClass(),
				mediaType);
		return (mapping != null && names(mapping, failure.getClass())) ? mapping : null;
	}

	/**
	 * Returns whether a handler names a type of exception, rather than taking any.
	 */
	static boolean names(ExceptionHandlerMappingInfo mapping, Class<? extends Throwable> exception) {
		return mapping.getExceptionTypes()
			.stream()
			.anyMatch((type) -> type.isAssignableFrom(exception) && !type.isAssignableFrom(RuntimeException.class));
	}

	/**
	 * A method of an advice.
	 *
	 * @param advice the advice
	 * @param mapping the method, and the media types that it produces
	 */
	record Handler(ControllerAdviceBean advice, ExceptionHandlerMappingInfo mapping) {

		HandlerMethod method() {
			return new HandlerMethod(this.advice.resolveBean(), this.mapping.getHandlerMethod());
		}

	}

}
