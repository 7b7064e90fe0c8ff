package dev.ratelimit.web.reactive;

import reactor.util.context.ContextView;

import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * Keeps each request as the server received it in its Reactor context, for Spring may put
 * what the client forwards in place of the address of its connection.
 */
public final class ReceivedRequests implements HttpHandlerDecoratorFactory {

	private static final Object KEY = ReceivedRequests.class;

	/**
	 * Creates a keeper.
	 */
	public ReceivedRequests() {
	}

	@Override
	public HttpHandler apply(HttpHandler handler) {
		return (request, response) -> handler.handle(request, response)
			.contextWrite((context) -> context.put(KEY, request));
	}

	static ServerHttpRequest in(ContextView context, ServerHttpRequest otherwise) {
		return context.hasKey(KEY) ? context.<ServerHttpRequest>get(KEY) : otherwise;
	}

}
