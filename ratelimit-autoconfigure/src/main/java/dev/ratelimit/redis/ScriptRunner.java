package dev.ratelimit.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Runs the {@link TokenBucketScript} without blocking the caller.
 */
interface ScriptRunner {

	/**
	 * Runs the script.
	 * @param key the one key
	 * @param arguments the other arguments
	 * @return what the script returns; cancelling it withdraws what has not been sent
	 */
	CompletableFuture<List<Object>> run(byte[] key, byte[][] arguments);

	/**
	 * Begins to connect, where that can be done ahead of the first run. What fails is
	 * tried again by it.
	 */
	void connect();

	/**
	 * Lets go of what has failed, so that the next run starts with a new connection.
	 */
	void reset();

}
