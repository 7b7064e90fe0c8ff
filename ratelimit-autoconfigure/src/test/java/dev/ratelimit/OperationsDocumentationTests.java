package dev.ratelimit;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import dev.ratelimit.actuate.KeyDescription;
import dev.ratelimit.actuate.LimitDescription;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Holds {@code docs/operations.md} to the loggers and to the fields of the endpoint that
 * there are.
 */
class OperationsDocumentationTests {

	private static final Path DOCUMENT = Path.of("../docs/operations.md");

	private static final String LOGS = "## Logs";

	private static final Pattern LOGGER = Pattern.compile("`((?:\\w+\\.)+[A-Z]\\w+)`");

	@Test
	void namesEveryLogger() throws IOException {
		List<String> documented = documentedLoggers();
		assertThat(loggers()).hasSizeGreaterThan(15).isSubsetOf(documented);
	}

	@Test
	void namesNoLoggerThatIsNotThere() throws IOException {
		assertThat(documentedLoggers())
			.allSatisfy((name) -> assertThatNoException().isThrownBy(() -> Class.forName("dev.ratelimit." + name)));
	}

	@Test
	void explainsEveryFieldOfTheEndpoint() throws IOException {
		String document = Files.readString(DOCUMENT);
		assertThat(Stream.of(LimitDescription.class, KeyDescription.class)
			.flatMap((type) -> Arrays.stream(type.getRecordComponents()))
			.map(RecordComponent::getName))
			.allSatisfy((field) -> assertThat(document).contains("\n| `" + field + "` |"));
	}

	private static List<String> documentedLoggers() throws IOException {
		String document = Files.readString(DOCUMENT);
		String rows = document.substring(document.indexOf(LOGS));
		return rows.lines()
			.filter((line) -> line.startsWith("| `"))
			.map((line) -> line.split("\\|")[2])
			.flatMap((loggers) -> LOGGER.matcher(loggers).results())
			.map((MatchResult match) -> match.group(1))
			.toList();
	}

	/**
	 * Finds the names of loggers, without that of the root package: those of classes of
	 * the core may be those of other types, all others are those of their classes.
	 */
	private static List<String> loggers() {
		return new ClassFileImporter().withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
			.importPackages("dev.ratelimit")
			.stream()
			.filter((type) -> type.tryGetField("logger").isPresent())
			.map(OperationsDocumentationTests::logger)
			.map((name) -> name.substring("dev.ratelimit.".length()))
			.distinct()
			.toList();
	}

	private static String logger(JavaClass type) {
		try {
			Field field = type.reflect().getDeclaredField("logger");
			field.setAccessible(true);
			return (field.get(null) instanceof System.Logger logger) ? logger.getName() : type.getName();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
