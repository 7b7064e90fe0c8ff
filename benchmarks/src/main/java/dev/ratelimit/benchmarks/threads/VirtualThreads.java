package dev.ratelimit.benchmarks.threads;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Virtual threads, where the Java that runs has them.
 */
public final class VirtualThreads {

	private VirtualThreads() {
	}

	/**
	 * Returns an executor that runs each task on a virtual thread of its own.
	 * @return the executor
	 * @throws IllegalStateException if this Java has no virtual threads
	 */
	public static ExecutorService executor() {
		try {
			return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
		}
		catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException ex) {
			throw new IllegalStateException("Virtual threads need Java 21 or later: run with -Djava=<its java>", ex);
		}
	}

}
