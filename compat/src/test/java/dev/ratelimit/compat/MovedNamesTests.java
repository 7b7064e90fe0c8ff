package dev.ratelimit.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that exactly one of each two names exists that the library gives side by side for
 * a class that moved between Spring Boot 3.5 and 4: with none, whatever stands behind the
 * name would silently be absent on this line.
 * <p>
 * A new auto-configuration is tested without further ado, as long as the library it waits
 * for is on the class path of every line.
 */
class MovedNamesTests {

	private static final String LIBRARY = "dev.ratelimit.";

	private static final String IMPORTS_LOCATION = "classpath*:META-INF/spring/*.imports";

	private static final Pattern IMPORTS = Pattern.compile("META-INF/spring/([\\w.]+\\.(\\w+))\\.imports$");

	@Test
	void someNamesAreGivenInPairs() {
		assertThat(namesInAnnotations()).isNotEmpty();
		assertThat(namesOfImports()).isNotEmpty();
	}

	@ParameterizedTest
	@MethodSource({ "namesInAnnotations", "namesOfImports" })
	void exactlyOneNameOfEachPairExists(List<String> names) {
		assertThat(names).hasSize(2).filteredOn(MovedNamesTests::exists).hasSize(1);
	}

	/**
	 * Names in the annotations of auto-configurations, side by side as the array has
	 * them.
	 */
	static Stream<List<String>> namesInAnnotations() {
		return autoConfigurations().flatMap((type) -> MergedAnnotations.from(type).stream(AutoConfiguration.class))
			.flatMap((annotation) -> Stream.of("afterName", "beforeName").map(annotation::getStringArray))
			.flatMap(MovedNamesTests::pairs);
	}

	/** Annotations of test slices that import an auto-configuration, old and new. */
	static Stream<List<String>> namesOfImports() {
		Map<String, List<String>> bySimpleName = importsFiles().map(IMPORTS::matcher)
			.filter(Matcher::find)
			.filter((file) -> !file.group(1).equals(AutoConfiguration.class.getName()))
			.collect(Collectors.groupingBy((file) -> file.group(2),
					Collectors.mapping((file) -> file.group(1), Collectors.toList())));
		return bySimpleName.values().stream();
	}

	private static Stream<Class<?>> autoConfigurations() {
		return ImportCandidates.load(AutoConfiguration.class, null)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith(LIBRARY))
			.map((name) -> ClassUtils.resolveClassName(name, null));
	}

	private static Stream<List<String>> pairs(String[] names) {
		List<List<String>> pairs = new ArrayList<>();
		for (int i = 0; i < names.length; i += 2) {
			pairs.add(Arrays.asList(names).subList(i, Math.min(i + 2, names.length)));
		}
		return pairs.stream();
	}

	private static Stream<String> importsFiles() {
		try {
			List<String> files = new ArrayList<>();
			for (Resource file : new PathMatchingResourcePatternResolver().getResources(IMPORTS_LOCATION)) {
				if (file.getContentAsString(StandardCharsets.UTF_8).contains(LIBRARY)) {
					files.add(file.getURL().toString());
				}
			}
			return files.stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean exists(String name) {
		return ClassUtils.isPresent(name, null);
	}

}
