package dev.ratelimit.web.reactive;

import java.util.List;
import java.util.Set;

import dev.ratelimit.web.reactive.ExceptionHandlers.Handler;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;

/**
 * Calls exception handlers as WebFlux does, with the arguments and the results that the
 * application has configured. They are called as if they handled the request itself, by
 * an adapter that knows of no advice.
 */
final class ExceptionHandlerInvoker {

	private final RequestMappingHandlerAdapter adapter;

	private final List<HandlerResultHandler> resultHandlers;

	/**
	 * Creates an invoker.
	 * @param configured the adapter that calls the controllers of the application
	 */
	ExceptionHandlerInvoker(RequestMappingHandlerAdapter configured, ApplicationContext context) {
		this.adapter = adapterLike(configured, context);
		this.resultHandlers = context.getBeanProvider(HandlerResultHandler.class).orderedStream().toList();
	}

	private static RequestMappingHandlerAdapter adapterLike(RequestMappingHandlerAdapter configured,
			ApplicationContext context) {
		GenericApplicationContext withoutAdvices = new GenericApplicationContext();
		withoutAdvices.getBeanFactory().addEmbeddedValueResolver(context.getEnvironment()::resolvePlaceholders);
		withoutAdvices.refresh();
		ArgumentResolverConfigurer resolvers = configured.getArgumentResolverConfigurer();
		ArgumentResolverConfigurer extended = (resolvers != null) ? resolvers : new ArgumentResolverConfigurer();
		extended.addCustomResolver(new HandledException.ArgumentResolver());
		RequestMappingHandlerAdapter adapter = new RequestMappingHandlerAdapter();
		adapter.setApplicationContext(withoutAdvices);
		adapter.setArgumentResolverConfigurer(extended);
		adapter.setContentTypeResolver(configured.getContentTypeResolver());
		adapter.setMessageReaders(configured.getMessageReaders());
		adapter.setReactiveAdapterRegistry(configured.getReactiveAdapterRegistry());
		adapter.setWebBindingInitializer(configured.getWebBindingInitializer());
		try {
			adapter.afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException("Exception handlers cannot be called", ex);
		}
		return adapter;
	}

	/**
	 * Calls a handler and writes what it returns.
	 */
	Mono<Void> invoke(Handler handler, HandledException handled, ServerWebExchange exchange) {
		handled.putInto(exchange.getAttributes());
		Set<MediaType> producible = handler.mapping().getProducibleTypes();
		if (!producible.isEmpty()) {
			exchange.getAttributes().put(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE, producible);
		}
		return this.adapter.handle(exchange, handler.method()).flatMap((result) -> write(result, exchange));
	}

	private Mono<Void> write(HandlerResult result, ServerWebExchange exchange) {
		return this.resultHandlers.stream()
			.filter((handler) -> handler.supports(result))
			.findFirst()
			.map((handler) -> handler.handleResult(exchange, result))
			.orElseGet(() -> Mono.error(new IllegalStateException("Nothing writes " + result.getReturnType())));
	}

}
