package dev.ratelimit.web;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JsonString}.
 */
class JsonStringTests {

	@Test
	void putsQuotesAroundPlainText() {
		assertThat(JsonString.quote("export ~ 7")).isEqualTo("\"export ~ 7\"");
	}

	@Test
	void escapesQuotesAndBackslashes() {
		assertThat(JsonString.quote("a\"b\\c")).isEqualTo("\"a\\\"b\\\\c\"");
	}

	@Test
	void escapesControlCharacters() {
		assertThat(JsonString.quote("a\u0000\n\u007f")).isEqualTo("\"a\\u0000\\u000a\\u007f\"");
	}

	@Test
	void staysInAscii() {
		assertThat(JsonString.quote("é漢")).isEqualTo("\"\\u00e9\\u6f22\"");
	}

	@Test
	void writesCharactersBeyondTheBasicPlaneAsPairs() {
		assertThat(JsonString.quote("🚦")).isEqualTo("\"\\ud83d\\udea6\"");
	}

	@Test
	void replacesHalvesOfPairs() {
		assertThat(JsonString.quote("a\ud83d")).isEqualTo("\"a\\ufffd\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a\"b", "\\", "\\\"", "\\u0041", "</script>", "tab\tline\r\nend", "\u0001\u001f\u007f",
			"\u2028\u2029", "Größe", "限流", "🚦x" })
	void isReadBackByAParser(String text) {
		assertThat(JsonParserFactory.getJsonParser().parseList("[" + JsonString.quote(text) + "]")).singleElement()
			.isEqualTo(text);
	}

}
