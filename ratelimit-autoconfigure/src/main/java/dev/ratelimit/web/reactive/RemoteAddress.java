package dev.ratelimit.web.reactive;

import java.net.InetSocketAddress;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServerRequest;

import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.ClassUtils;

/**
 * The address of the connection on which a request came. Where a request says for whom it
 * is forwarded, Reactor Netty may believe it, whoever sent it; so it is asked for the
 * connection itself then.
 */
final class RemoteAddress {

	private static final Log logger = LogFactory.getLog(RemoteAddress.class);

	private static final boolean REACTOR_NETTY = ClassUtils.isPresent("reactor.netty.http.server.HttpServerRequest",
			RemoteAddress.class.getClassLoader());

	private RemoteAddress() {
	}

	/**
	 * Returns the address of a connection.
	 * @param received the request as the server received it
	 * @return the address, or {@code null} if the connection has none
	 */
	static @Nullable InetSocketAddress of(ServerHttpRequest received) {
		return (REACTOR_NETTY && isForwarded(received)) ? ReactorNetty.remoteAddress(received)
				: received.getRemoteAddress();
	}

	private static boolean isForwarded(ServerHttpRequest request) {
		return request.getHeaders().getFirst("Forwarded") != null
				|| request.getHeaders().getFirst("X-Forwarded-For") != null;
	}

	private static final class ReactorNetty {

		private static @Nullable InetSocketAddress remoteAddress(ServerHttpRequest received) {
			if (nativeRequest(received) instanceof HttpServerRequest request) {
				return (request.connectionRemoteAddress() instanceof InetSocketAddress address) ? address : null;
			}
			return received.getRemoteAddress();
		}

		private static @Nullable Object nativeRequest(ServerHttpRequest received) {
			try {
				return (received instanceof AbstractServerHttpRequest request) ? request.getNativeRequest() : null;
			}
			catch (IllegalStateException ex) {
				logger.debug("A mock of a request has no connection", ex);
				return null;
			}
		}

	}

}
