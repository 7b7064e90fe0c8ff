package dev.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The README of the project.
 *
 * @param text what it says
 */
record Readme(String text) {

	/**
	 * The folder of the project.
	 */
	static final Path PROJECT = Path.of("..");

	private static final Pattern BLOCK = Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern ROW = Pattern.compile("^\\| `([^`]+)`", Pattern.MULTILINE);

	static Readme load() {
		return new Readme(read(PROJECT.resolve("README.md")));
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the languages of all fenced blocks.
	 */
	Stream<String> languages() {
		return BLOCK.matcher(this.text).results().map((block) -> block.group(1));
	}

	/**
	 * Returns the fenced blocks of a language.
	 */
	Stream<String> blocks(String language) {
		return BLOCK.matcher(this.text)
			.results()
			.filter((block) -> block.group(1).equals(language))
			.map((block) -> block.group(2));
	}

	/**
	 * Returns the names in the first column of the table below a heading.
	 */
	List<String> table(String heading) {
		Matcher section = Pattern
			.compile("^## " + Pattern.quote(heading) + "$(.*?)(?=^## |\\z)", Pattern.MULTILINE | Pattern.DOTALL)
			.matcher(this.text);
		if (!section.find()) {
			throw new IllegalStateException("The README has no heading '" + heading + "'");
		}
		return ROW.matcher(section.group(1)).results().map((row) -> row.group(1)).toList();
	}

}
