package dev.ratelimit.compat;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;
import org.springframework.core.SpringVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the other tests run on the line that the module is named after, and not on
 * the one that the library was built for.
 */
class SpringBootLineTests {

	private static final String EXPECTED = System.getProperty("compat.spring-boot.version");

	@Test
	void runsOnTheSpringBootOfTheModule() {
		assertThat(SpringBootVersion.getVersion()).isEqualTo(EXPECTED);
	}

	@Test
	void runsOnTheSpringFrameworkOfThatLine() {
		assertThat(SpringVersion.getVersion()).startsWith(EXPECTED.startsWith("3.") ? "6.2." : "7.");
	}

}
