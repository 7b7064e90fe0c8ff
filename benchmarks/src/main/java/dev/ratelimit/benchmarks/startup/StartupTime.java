package dev.ratelimit.benchmarks.startup;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;

/**
 * Measures what the starter adds to the startup of an empty application: each start is a
 * new Java process, with and without the starter on its class path, in turn.
 * <p>
 * Argument: the number of pairs.
 */
final class StartupTime {

	private static final Pattern LIBRARY = Pattern.compile("ratelimit-(autoconfigure|spring-boot-starter)|caffeine");

	/** What an empty application does not have either. */
	private static final Pattern NOT_OURS = Pattern
		.compile("resilience4j|micrometer-core|bucket4j|failsafe|guava|jmh|tomcat|aspectj|-webmvc|-web-|-servlet"
				+ "|redis|lettuce|netty|reactor|spring-data|spring-tx|spring-oxm");

	private StartupTime() {
	}

	public static void main(String[] arguments) throws IOException, InterruptedException {
		measure((arguments.length > 0) ? Integer.parseInt(arguments[0]) : 15);
	}

	static double measure(int pairs) throws IOException, InterruptedException {
		String with = classPath(NOT_OURS.asPredicate().negate());
		String without = classPath(NOT_OURS.asPredicate().or(LIBRARY.asPredicate()).negate());
		List<Long> baseline = new ArrayList<>();
		List<Long> added = new ArrayList<>();
		for (int pair = 0; pair < pairs; pair++) {
			long millisWithout = start(without);
			baseline.add(millisWithout);
			added.add(start(with) - millisWithout);
		}
		System.out.printf("an empty application starts in %d ms; the starter adds %d ms (medians of %d)%n",
				median(baseline), median(added), pairs);
		return median(added);
	}

	private static String classPath(Predicate<String> kept) {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter(kept)
			.collect(Collectors.joining(File.pathSeparator));
	}

	private static long start(String classPath) throws IOException, InterruptedException {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		Process process = new ProcessBuilder(java, "-cp", classPath, EmptyApplication.class.getName())
			.redirectError(Redirect.INHERIT)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
		if (process.waitFor() != 0) {
			throw new IllegalStateException("the application does not start: " + output);
		}
		return Long.parseLong(output);
	}

	private static long median(List<Long> values) {
		return values.stream().sorted().toList().get(values.size() / 2);
	}

	/**
	 * Starts, and says how many milliseconds after its process began it was ready.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class EmptyApplication {

		public static void main(String[] arguments) {
			new SpringApplicationBuilder(EmptyApplication.class).web(WebApplicationType.NONE)
				.properties("spring.main.banner-mode=off", "logging.level.root=warn")
				.run(arguments)
				.close();
			System.out.println(ManagementFactory.getRuntimeMXBean().getUptime());
		}

	}

}
