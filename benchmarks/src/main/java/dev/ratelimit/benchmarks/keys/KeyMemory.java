package dev.ratelimit.benchmarks.keys;

import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import dev.ratelimit.core.RateLimiter;

/**
 * Measures the heap of a keyed bucket from two class histograms, before and after as many
 * buckets are made as the argument says. The texts of the keys are there before, and
 * stay.
 */
final class KeyMemory {

	private static final Pattern CLASS = Pattern.compile("^ *\\d+: +\\d+ +(\\d+) +(\\S+)", Pattern.MULTILINE);

	private KeyMemory() {
	}

	public static void main(String[] arguments) throws JMException {
		measure((arguments.length > 0) ? Integer.parseInt(arguments[0]) : 1_000_000);
	}

	static double measure(int keys) throws JMException {
		String[] users = UserIds.of(keys);
		RateLimiter limiter = KeyedLimits.limiter(2 * keys);
		limiter.bucket("warm-up").tryAcquire();
		Map<String, Long> before = bytesByClass();
		for (String user : users) {
			limiter.bucket(user).tryAcquire();
		}
		Map<String, Long> after = bytesByClass();
		before.forEach((type, bytes) -> after.merge(type, -bytes, Long::sum));
		double perKey = (double) after.values().stream().mapToLong(Long::longValue).sum() / keys;
		System.out.printf("%d keys, %d buckets: %.1f bytes of heap each%n", users.length, limiter.keys(), perKey);
		after.entrySet()
			.stream()
			.filter((entry) -> entry.getValue() >= keys)
			.sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
			.forEach((entry) -> System.out.printf("%8.1f  %s%n", (double) entry.getValue() / keys, entry.getKey()));
		return perKey;
	}

	private static Map<String, Long> bytesByClass() throws JMException {
		MBeanServer server = ManagementFactory.getPlatformMBeanServer();
		Object histogram = server.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"),
				"gcClassHistogram", new Object[] { new String[0] }, new String[] { String[].class.getName() });
		Map<String, Long> bytes = new HashMap<>();
		Matcher line = CLASS.matcher(histogram.toString());
		while (line.find()) {
			bytes.merge(line.group(2), Long.valueOf(line.group(1)), Long::sum);
		}
		return bytes;
	}

}
