package dev.ratelimit.web.reactive;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;

import dev.ratelimit.core.CallContext;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.server.ServerWebExchange;

/**
 * Finds the request that a call belongs to in the arguments of the call, for no thread
 * works for one request alone.
 */
public final class ExchangeCallContextSource implements CallContext.Source {

	private final boolean mayPark;

	/**
	 * Creates a source.
	 * @param mayPark whether methods that are not reactive are called on threads of their
	 * own, which may be parked
	 */
	public ExchangeCallContextSource(boolean mayPark) {
		this.mayPark = mayPark;
	}

	@Override
	public @Nullable CallContext current() {
		return null;
	}

	@Override
	public @Nullable CallContext of(@Nullable Object[] arguments) {
		for (Object argument : arguments) {
			if (argument instanceof ServerWebExchange exchange) {
				return ExchangeCallContext.in(exchange.getAttributes());
			}
			if (argument instanceof ServerHttpRequest request) {
				return ExchangeCallContext.in(request.getAttributes());
			}
			if (argument instanceof ServerRequest request) {
				return ExchangeCallContext.in(request.attributes());
			}
		}
		return null;
	}

	@Override
	public @Nullable String lackingIn(Method method) {
		return Arrays.stream(method.getParameterTypes()).anyMatch(ExchangeCallContextSource::tellsRequest) ? null
				: "a parameter of type ServerWebExchange or ServerHttpRequest";
	}

	private static boolean tellsRequest(Class<?> type) {
		return Stream.of(ServerWebExchange.class, ServerHttpRequest.class, ServerRequest.class)
			.anyMatch((known) -> known.isAssignableFrom(type));
	}

	@Override
	public boolean mayPark() {
		return this.mayPark;
	}

}
