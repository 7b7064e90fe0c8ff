package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What limits in a test that has a part of an application only.
 */
@SpringJUnitConfig({ SliceTests.Orders.class, ManualTimeSource.class })
@ImportAutoConfiguration({ RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class })
class SliceTests {

	@Autowired
	private Orders orders;

	@Test
	void limitsAServiceWithTheAutoConfigurationsOfTheAdvice() {
		this.orders.place();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(this.orders::place);
	}

	@ParameterizedTest
	@CsvSource({ "test.autoconfigure.web.servlet.AutoConfigureWebMvc, WebMvc",
			"webmvc.test.autoconfigure.AutoConfigureWebMvc, WebMvc",
			"test.autoconfigure.web.reactive.AutoConfigureWebFlux, WebFlux",
			"webflux.test.autoconfigure.AutoConfigureWebFlux, WebFlux" })
	void webSlicesOfEachLineHaveTheSameButForTheirServer(String slice, String server) {
		assertThat(imports("test.autoconfigure.web.servlet.AutoConfigureWebMvc"))
			.containsExactlyElementsOf(imports(slice).stream().map((name) -> name.replace(server, "WebMvc")).toList());
		assertThat(imports("autoconfigure.AutoConfiguration")).containsAll(imports(slice));
	}

	private static List<String> imports(String annotation) {
		try {
			return new ClassPathResource("META-INF/spring/org.springframework.boot." + annotation + ".imports",
					RateLimitAutoConfiguration.class.getClassLoader())
				.getContentAsString(StandardCharsets.UTF_8)
				.lines()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static class Orders {

		@RateLimited(rate = 1)
		void place() {
		}

	}

}
