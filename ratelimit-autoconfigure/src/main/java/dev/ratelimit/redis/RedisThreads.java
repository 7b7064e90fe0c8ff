package dev.ratelimit.redis;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few daemon threads for what may block: connecting, and commands of clients that know
 * no other way.
 */
final class RedisThreads {

	private static final int MAX_THREADS = 8;

	private static final long IDLE_SECONDS = 30;

	private final AtomicInteger number = new AtomicInteger();

	private final ThreadPoolExecutor executor = new ThreadPoolExecutor(MAX_THREADS, MAX_THREADS, IDLE_SECONDS,
			TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::thread);

	RedisThreads() {
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Calls on one of the threads, unless the result is complete or cancelled by then.
	 */
	<T> CompletableFuture<T> submit(Callable<T> call) {
		CompletableFuture<T> result = new CompletableFuture<>();
		this.executor.execute(() -> {
			if (!result.isDone()) {
				try {
					result.complete(call.call());
				}
				catch (Exception | LinkageError ex) {
					result.completeExceptionally(ex);
				}
			}
		});
		return result;
	}

	private Thread thread(Runnable task) {
		Thread thread = new Thread(task, "ratelimit-redis-" + this.number.incrementAndGet());
		thread.setDaemon(true);
		thread.setContextClassLoader(getClass().getClassLoader());
		return thread;
	}

}
