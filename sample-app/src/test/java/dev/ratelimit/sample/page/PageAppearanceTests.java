package dev.ratelimit.sample.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Looks at the page in windows of several sizes, in light and dark, and keeps what it has
 * seen as {@code target/page/*.png}.
 */
@BrowserTest
class PageAppearanceTests {

	private static final Path PICTURES = Path.of("target", "page");

	private static ChromeDriver browser;

	@Autowired
	private RateLimiterRegistry registry;

	@LocalServerPort
	private String port;

	@BeforeAll
	static void start() {
		browser = Chromium.start();
	}

	@AfterAll
	static void quit() {
		if (browser != null) {
			browser.quit();
		}
	}

	@ParameterizedTest
	@CsvSource({ "light, 1280, 960", "dark, 1280, 960", "light, 320, 2600", "dark, 320, 2600" })
	void fitsTheWindowAndTheColorScheme(String scheme, int width, int height) throws IOException {
		Chromium.emulate(browser, scheme, width, height);
		Page page = new Page(browser);
		new Limits(this.registry).reset(Duration.ofSeconds(1));
		page.open(this.port);
		showSomething(page);
		keepPicture("%s-%d.png".formatted(scheme, width));
		assertThat(number("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
		assertThat(brightness("backgroundColor") > brightness("color")).isEqualTo(scheme.equals("light"));
		assertThat(page.painted("wait", ".chart canvas")).isPositive();
	}

	private void showSomething(Page page) {
		page.send("reject");
		page.send("wait");
		page.send("semaphore");
		page.untilResult("wait", "20 calls: 20 accepted");
		page.send("reject");
		page.send("wait");
		page.send("semaphore");
		page.untilResult("semaphore", "20 calls: 20 accepted");
	}

	private static double brightness(String property) {
		return number("""
				const color = getComputedStyle(document.body).%s
				return color.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)
				""".formatted(property));
	}

	private static double number(String script) {
		return ((Number) browser.executeScript(script)).doubleValue();
	}

	private static void keepPicture(String name) throws IOException {
		Files.createDirectories(PICTURES);
		Files.write(PICTURES.resolve(name), browser.getScreenshotAs(OutputType.BYTES));
	}

}
