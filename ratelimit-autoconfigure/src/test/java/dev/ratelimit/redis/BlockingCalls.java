package dev.ratelimit.redis;

import java.util.Collection;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Assumptions;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingMethod;
import reactor.core.scheduler.NonBlocking;

/**
 * Blocking calls on threads that must not block: event loops, and those that keep the
 * time. They are found by BlockHound, which stays in the JVM once it is there; so it is
 * told to look only while one of these is open, and changes no classes but those of the
 * JDK.
 * <p>
 * What this library has no part in is not looked at. Log lines may be written, classes
 * loaded, and locks waited for, which are held for moments; only those of connection
 * factories are held while a connection is made.
 */
final class BlockingCalls implements AutoCloseable {

	private static final String NETTY_THREAD = "io.netty.util.concurrent.FastThreadLocalThread";

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
		try {
			BlockHound.builder()
				.dynamicThreadPredicate((none) -> (thread) -> true)
				.nonBlockingThreadPredicate((none) -> (thread) -> found != null && mustNotBlock(thread))
				.blockingMethodCallback(BlockingCalls::add)
				.install();
			return null;
		}
		catch (RuntimeException ex) {
			return "skipped: BlockHound does not work on Java %s: %s".formatted(Runtime.version(), ex);
		}
	}

	private static boolean mustNotBlock(Thread thread) {
		return thread instanceof NonBlocking || thread.getClass().getName().equals(NETTY_THREAD)
				|| TIMERS.contains(thread.getName());
	}

	private static void add(BlockingMethod method) {
		Collection<String> calls = found;
		List<StackTraceElement> stack = List.of(Thread.currentThread().getStackTrace());
		if (calls != null && counts(stack)) {
			calls.add("%s on %s%n%s".formatted(method, Thread.currentThread().getName(),
					stack.stream()
						.map((element) -> "\tat " + element)
						.collect(Collectors.joining(System.lineSeparator()))));
		}
	}

	private static boolean counts(List<StackTraceElement> stack) {
		return any(stack, BlockingCalls::isOurs) && !any(stack, BlockingCalls::isHarmless)
				&& (!any(stack, ReentrantLock.class.getName()::equals)
						|| any(stack, (name) -> name.startsWith("org.springframework.data.redis.")));
	}

	private static boolean isOurs(String className) {
		return className.startsWith("dev.ratelimit.") && !className.startsWith(BlockingCalls.class.getName());
	}

	private static boolean isHarmless(String className) {
		return className.startsWith("ch.qos.logback.") || className.startsWith(ServiceLoader.class.getName());
	}

	private static boolean any(List<StackTraceElement> stack, Predicate<String> className) {
		return stack.stream().map(StackTraceElement::getClassName).anyMatch(className);
	}

}
