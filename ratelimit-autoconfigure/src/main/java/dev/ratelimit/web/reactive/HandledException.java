package dev.ratelimit.web.reactive;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.MethodParameter;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;

/**
 * What an exception handler is called for.
 *
 * @param exception the exception
 * @param handlerMethod what was to handle the request; {@code null}: no method
 */
record HandledException(Throwable exception, @Nullable HandlerMethod handlerMethod) {

	private static final String ATTRIBUTE = HandledException.class.getName();

	void putInto(Map<String, Object> attributes) {
		attributes.put(ATTRIBUTE, this);
	}

	/**
	 * Returns the exception, or the first of its causes, that is of a type.
	 */
	private @Nullable Object argument(Class<?> type) {
		if (type.isInstance(this.handlerMethod)) {
			return this.handlerMethod;
		}
		Throwable candidate = this.exception;
		while (candidate != null && !type.isInstance(candidate)) {
			candidate = candidate.getCause();
		}
		return candidate;
	}

	/**
	 * Gives it to the parameters of the exception handler.
	 */
	static final class ArgumentResolver implements HandlerMethodArgumentResolver {

		@Override
		public boolean supportsParameter(MethodParameter parameter) {
			Class<?> type = parameter.getParameterType();
			return Throwable.class.isAssignableFrom(type) || HandlerMethod.class.isAssignableFrom(type);
		}

		@Override
		public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext bindingContext,
				ServerWebExchange exchange) {
			HandledException handled = exchange.getAttribute(ATTRIBUTE);
			return (handled != null) ? Mono.justOrEmpty(handled.argument(parameter.getParameterType())) : Mono.empty();
		}

	}

}
