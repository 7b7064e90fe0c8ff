package dev.ratelimit.web.reactive;

import java.util.List;
import java.util.function.Supplier;

import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import dev.ratelimit.web.RateLimitFailures;
import dev.ratelimit.web.RateLimitProblemMapper;
import dev.ratelimit.web.reactive.ExceptionHandlers.Handler;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.NotAcceptableStatusException;
import org.springframework.web.server.ServerWebExchange;

/**
 * Answers a request that failed at a limit before the advices of the application see the
 * exception: through a handler of theirs that names it if there is one, else with a
 * problem detail. Not final, so that the advice of an application may stand around it.
 */
@ControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
public class RateLimitExceptionAdvice {

	private final FailureAnswer answer;

	private final Supplier<RequestMappingHandlerAdapter> configured;

	private final Supplier<ExceptionHandlers> handlers;

	private final Supplier<ExceptionHandlerInvoker> invoker;

	/**
	 * Creates an advice.
	 * @param problemMapper decides on the answers
	 * @param context the application, whose beans are asked for when a request fails
	 */
	public RateLimitExceptionAdvice(RateLimitProblemMapper problemMapper, ApplicationContext context) {
		this.answer = new FailureAnswer(problemMapper);
		this.configured = SingletonSupplier.of(() -> context.getBeanProvider(RequestMappingHandlerAdapter.class)
			.orderedStream()
			.findFirst()
			.orElseThrow());
		this.handlers = SingletonSupplier.of(() -> new ExceptionHandlers(context));
		this.invoker = SingletonSupplier.of(() -> new ExceptionHandlerInvoker(this.configured.get(), context));
	}

	/**
	 * Answers an exception that is a failure of a limit, or has one among its causes.
	 * @param exception the exception
	 * @param exchange the request and its response
	 * @return completion of the response; the exception itself where neither this library
	 * nor an advice of the application answers it
	 */
	@ExceptionHandler({ RateLimitExceededException.class, RateLimitWaitInterruptedException.class,
			RateLimitStoreUnavailableException.class })
	public Mono<Void> answer(Throwable exception, ServerWebExchange exchange) {
		if (exchange.getResponse().isCommitted()) {
			return Mono.error(exception);
		}
		RuntimeException failure = RateLimitFailures.findIn(exception);
		if (failure != null) {
			FailureAnswer.note(failure, exchange);
		}
		Throwable handled = (failure != null) ? failure : exception;
		HandlerMethod handlerMethod = handlerMethod(exchange);
		Handler handler = this.handlers.get().find(handled, handlerMethod, acceptedMediaTypes(exchange));
		if (handler != null) {
			return this.invoker.get().invoke(handler, new HandledException(handled, handlerMethod), exchange);
		}
		return (failure != null) ? this.answer.write(failure, exchange) : Mono.error(exception);
	}

	private static @Nullable HandlerMethod handlerMethod(ServerWebExchange exchange) {
		Object handler = exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE);
		return (handler instanceof HandlerMethod method) ? method : null;
	}

	private List<MediaType> acceptedMediaTypes(ServerWebExchange exchange) {
		try {
			return this.configured.get().getContentTypeResolver().resolveMediaTypes(exchange);
		}
		catch (NotAcceptableStatusException ex) {
			return List.of(MediaType.ALL);
		}
	}

}
