package dev.ratelimit.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the README with what the build compiles, runs and tests.
 */
class ReadmeTests {

	private static final Readme README = Readme.load();

	private static final String BUCKET_PREFIX = "ratelimit.buckets.<name>.";

	@Test
	void namesTheLanguageOfEveryBlock() {
		assertThat(README.languages()).isNotEmpty()
			.isSubsetOf("java", "yaml", "xml", "shell", "http", "text", "promql");
	}

	@ParameterizedTest
	@MethodSource("javaBlocks")
	void showsJavaThatIsCompiled(String block) throws IOException {
		assertThat(sourcesWith(block, "java")).isNotEmpty();
	}

	@ParameterizedTest
	@MethodSource("yamlBlocks")
	void showsYamlThatIsLoaded(String block) throws IOException {
		assertThat(sourcesWith(block, "yml")).isNotEmpty();
	}

	@Test
	void namesTheDependencyOfThisVersion() {
		String parent = Readme.read(Readme.PROJECT.resolve("pom.xml"));
		String version = parent.substring(parent.indexOf("<version>"), parent.indexOf("</version>"));
		assertThat(README.blocks("xml")).singleElement()
			.asString()
			.contains("<artifactId>ratelimit-spring-boot-starter</artifactId>", version + "</version>");
	}

	@Test
	void runsTheTestsAsContinuousIntegrationDoes() {
		String script = Readme.read(Readme.PROJECT.resolve(".ci/run"));
		assertThat(commands()).contains("./mvnw -B verify");
		assertThat(script).contains("arguments=(-B verify)\n", "./mvnw \"${arguments[@]}\"");
	}

	@Test
	void startsTheModuleOfTheSample() {
		assertThat(commands()).contains("./mvnw -pl sample-app -am spring-boot:run");
		assertThat(Readme.PROJECT.resolve("sample-app/pom.xml")).content()
			.contains("<mainClass>" + SampleApplication.class.getName() + "</mainClass>");
	}

	@Test
	void listsAttributesThatTheAnnotationHas() {
		List<String> attributes = Arrays.stream(RateLimited.class.getDeclaredMethods())
			.map((method) -> method.getName())
			.toList();
		assertThat(README.table("The annotation")).isNotEmpty().isSubsetOf(attributes);
	}

	@Test
	void listsPropertiesThatExist() {
		Stream<String> general = properties(RateLimitProperties.class, "ratelimit.");
		Stream<String> ofBuckets = properties(RateLimitProperties.Bucket.class, BUCKET_PREFIX);
		assertThat(README.table("The properties")).isNotEmpty().isSubsetOf(Stream.concat(general, ofBuckets).toList());
	}

	static Stream<String> javaBlocks() {
		return README.blocks("java");
	}

	static Stream<String> yamlBlocks() {
		return README.blocks("yaml");
	}

	private static List<String> commands() {
		return README.blocks("shell").flatMap(String::lines).toList();
	}

	private static Stream<String> properties(Class<?> type, String prefix) {
		return Arrays.stream(BeanUtils.getPropertyDescriptors(type)).flatMap((property) -> {
			String name = prefix + DataObjectPropertyName.toDashedForm(property.getName());
			Class<?> group = property.getPropertyType();
			return (group.getDeclaringClass() == RateLimitProperties.class && !group.isEnum())
					? properties(group, name + ".") : Stream.of(name);
		});
	}

	/**
	 * Returns the source files in which the lines of a block stand one after the other,
	 * whatever their indentation.
	 */
	private static List<Path> sourcesWith(String block, String extension) throws IOException {
		List<String> lines = lines(block);
		try (Stream<Path> files = Files.walk(Path.of("src"))) {
			return files.filter((file) -> file.toString().endsWith("." + extension))
				.filter((file) -> Collections.indexOfSubList(lines(Readme.read(file)), lines) >= 0)
				.toList();
		}
	}

	private static List<String> lines(String text) {
		return text.lines().map(String::strip).toList();
	}

}
