package dev.ratelimit.redis;

import java.util.Collection;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Assumptions;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingMethod;
import reactor.blockhound.integration.BlockHoundIntegration;
import reactor.blockhound.integration.StandardOutputIntegration;

/**
 * Blocking calls on threads that must not block: event loops, and those that keep the
 * time. They are found by BlockHound, which stays in the JVM once it is there; so it is
 * told to look only while one of these is open. Log lines may be written, classes loaded,
 * and locks waited for that are held for moments: those of the queues of executors and of
 * buckets in memory. What this library has no part in is not looked at.
 */
final class BlockingCalls implements AutoCloseable {

	private static final Set<String> TIMERS = Set.of("CompletableFutureDelayScheduler", "ratelimit-timer");

	private static volatile Collection<String> found;

	private static final String UNABLE = install();

	private BlockingCalls() {
		found = new ConcurrentLinkedQueue<>();
	}

	/**
	 * Looks for blocking calls from now on. The test is skipped on a JVM on which that
	 * does not work.
	 */
	static BlockingCalls watch() {
		Assumptions.assumeTrue(UNABLE == null, UNABLE);
		return new BlockingCalls();
	}

	/**
	 * Returns the calls that were found, each with its thread and its stack.
	 */
	List<String> found() {
		return List.copyOf(found);
	}

	@Override
	public void close() {
		found = null;
	}

	/**
	 * Returns why BlockHound cannot look, or {@code null} if it can.
	 */
	private static String install() {
		BlockHound.Builder builder = BlockHound.builder()
			.dynamicThreadPredicate((none) -> (thread) -> true)
			.blockingMethodCallback(BlockingCalls::add)
			.allowBlockingCallsInside("ch.qos.logback.classic.Logger", "callAppenders")
			.allowBlockingCallsInside("java.util.concurrent.ThreadPoolExecutor", "execute")
			.allowBlockingCallsInside("java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue", "offer")
			.allowBlockingCallsInside("java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue", "remove")
			.allowBlockingCallsInside("dev.ratelimit.core.ReservationQueue", "lock")
			.allowBlockingCallsInside("java.util.ServiceLoader$LazyClassPathLookupIterator", "parse");
		ServiceLoader.load(BlockHoundIntegration.class)
			.stream()
			.filter((integration) -> integration.type() != StandardOutputIntegration.class)
			.map(ServiceLoader.Provider::get)
			.sorted()
			.forEach(builder::with);
		builder.nonBlockingThreadPredicate(
				(others) -> (thread) -> found != null && (others.test(thread) || TIMERS.contains(thread.getName())));
		try {
			builder.install();
			return null;
		}
		catch (RuntimeException ex) {
			return "skipped: BlockHound does not work on Java %s: %s".formatted(Runtime.version(), ex);
		}
	}

	private static void add(BlockingMethod method) {
		Collection<String> calls = found;
		List<StackTraceElement> stack = List.of(Thread.currentThread().getStackTrace());
		if (calls != null && stack.stream().anyMatch(BlockingCalls::isOurs)) {
			calls.add("%s on %s%n%s".formatted(method, Thread.currentThread().getName(),
					stack.stream()
						.map((element) -> "\tat " + element)
						.collect(Collectors.joining(System.lineSeparator()))));
		}
	}

	private static boolean isOurs(StackTraceElement element) {
		return element.getClassName().startsWith("dev.ratelimit.")
				&& !element.getClassName().startsWith(BlockingCalls.class.getName());
	}

}
