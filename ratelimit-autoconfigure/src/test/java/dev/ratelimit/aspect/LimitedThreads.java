package dev.ratelimit.aspect;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The threads that are in code of this library.
 */
final class LimitedThreads {

	private LimitedThreads() {
	}

	static Set<Thread> now() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((entry) -> Arrays.stream(entry.getValue())
				.anyMatch((frame) -> frame.getClassName().startsWith("dev.ratelimit.")))
			.map(Map.Entry::getKey)
			.collect(Collectors.toSet());
	}

}
