package dev.ratelimit.benchmarks.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import redis.embedded.RedisServer;

/**
 * A Redis server in a process of its own, which keeps nothing on disk and is there for
 * this machine alone.
 */
final class BenchmarkServer implements AutoCloseable {

	static final String HOST = "127.0.0.1";

	private final RedisServer server;

	private final int port;

	private BenchmarkServer(RedisServer server, int port) {
		this.server = server;
		this.port = port;
	}

	/**
	 * Starts a server.
	 * @throws IllegalStateException if there is none for this platform
	 */
	static BenchmarkServer start() {
		int port = freePort();
		try {
			RedisServer server = RedisServer.builder()
				.port(port)
				.bind(HOST)
				.setting("save \"\"")
				.setting("appendonly no")
				.build();
			server.start();
			return new BenchmarkServer(server, port);
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException("There is no Redis that runs on this platform", ex);
		}
	}

	/**
	 * Returns whether there is a server for this platform.
	 */
	static boolean runs() {
		try {
			start().close();
			return true;
		}
		catch (IllegalStateException ex) {
			return false;
		}
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int port() {
		return this.port;
	}

	@Override
	public void close() {
		this.server.stop();
	}

}
