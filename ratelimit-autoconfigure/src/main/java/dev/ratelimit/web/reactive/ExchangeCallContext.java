package dev.ratelimit.web.reactive;

import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitDecision;
import dev.ratelimit.web.ClientIpResolver;
import dev.ratelimit.web.RequestDecisions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * A request that WebFlux serves, as limits see it.
 */
final class ExchangeCallContext implements CallContext {

	private static final Log logger = LogFactory.getLog(ExchangeCallContext.class);

	private static final String ATTRIBUTE = CallContext.class.getName();

	private final ServerHttpRequest request;

	private final ServerHttpRequest received;

	private final ClientIpResolver clientIpResolver;

	private final RequestDecisions decisions = new RequestDecisions();

	private volatile Caller caller = new Caller(Mono.empty());

	/**
	 * Creates a context.
	 * @param request the request as the application sees it
	 * @param received the request as the server received it
	 */
	ExchangeCallContext(ServerHttpRequest request, ServerHttpRequest received, ClientIpResolver clientIpResolver) {
		this.request = request;
		this.received = received;
		this.clientIpResolver = clientIpResolver;
	}

	static @Nullable ExchangeCallContext in(Map<String, Object> attributes) {
		return (ExchangeCallContext) attributes.get(ATTRIBUTE);
	}

	void putInto(Map<String, Object> attributes) {
		attributes.put(ATTRIBUTE, this);
	}

	/**
	 * Replaces what tells the caller by what a filter further inside knows.
	 */
	void authenticatedBy(Mono<? extends Principal> principal) {
		this.caller = new Caller(principal);
	}

	RequestDecisions decisions() {
		return this.decisions;
	}

	@Override
	public @Nullable String clientIp() {
		InetSocketAddress remote = RemoteAddress.of(this.received);
		return this.clientIpResolver.resolve((remote != null) ? text(remote) : null, lines("Forwarded"),
				lines("X-Forwarded-For"));
	}

	private static String text(InetSocketAddress address) {
		return address.isUnresolved() ? address.getHostString() : address.getAddress().getHostAddress();
	}

	private List<String> lines(String name) {
		List<String> lines = new ArrayList<>();
		this.received.getHeaders().forEach((key, values) -> {
			if (key.equalsIgnoreCase(name)) {
				lines.addAll(values);
			}
		});
		return lines;
	}

	@Override
	public @Nullable String principal() {
		return this.caller.name;
	}

	@Override
	public CompletionStage<CallContext> identified() {
		Caller caller = this.caller;
		return caller.known ? CompletableFuture.completedStage(this)
				: caller.find().then(Mono.<CallContext>just(this)).toFuture();
	}

	@Override
	public @Nullable String header(String name) {
		return this.request.getHeaders().getFirst(name);
	}

	@Override
	public void decided(RateLimitDecision decision) {
		this.decisions.add(decision);
	}

	/**
	 * Who is calling, once that is found out.
	 */
	private static final class Caller {

		private final Mono<? extends Principal> principal;

		private volatile @Nullable String name;

		private volatile boolean known;

		private Caller(Mono<? extends Principal> principal) {
			this.principal = principal;
		}

		private Mono<Void> find() {
			return this.principal.doOnNext(this::found)
				.then(Mono.<Void>fromRunnable(() -> this.known = true))
				.onErrorResume(this::unknown);
		}

		private void found(Principal principal) {
			this.name = AnonymousCallers.includes(principal) ? null : principal.getName();
		}

		private Mono<Void> unknown(Throwable failure) {
			logger.debug("The caller cannot be found out and counts as anonymous", failure);
			return Mono.empty();
		}

	}

}
