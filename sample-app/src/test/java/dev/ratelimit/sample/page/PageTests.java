package dev.ratelimit.sample.page;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Uses the page in a real browser.
 */
@BrowserTest
class PageTests {

	private static ChromeDriver browser;

	@Autowired
	private RateLimiterRegistry registry;

	@LocalServerPort
	private String port;

	private Page page;

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

	@BeforeEach
	void open() {
		new Limits(this.registry).reset(Duration.ofMinutes(1));
		Chromium.emulate(browser, "light", 1280, 900);
		this.page = new Page(browser);
		this.page.open(this.port);
	}

	@AfterEach
	void loggedNoErrors() {
		assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
			.filteredOn((entry) -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
			.extracting(LogEntry::getMessage)
			.isEmpty();
	}

	@Test
	void explainsWhatOneSeesInTwoSentences() {
		String explanation = browser.findElement(By.cssSelector("header p")).getText();
		assertThat(explanation.split("\\.(\\s|$)")).hasSize(2);
		assertThat(explanation).contains("tokens", "capacity", "rate", "REJECT", "WAIT", "semaphore");
	}

	@Test
	void showsTenAcceptedAndTheRestRefused() {
		this.page.send("reject");
		this.page.untilResult("reject", "20 calls: 10 accepted, 10 refused, done after ");
		this.page.untilNumber("reject", "accepted", "10");
		assertThat(this.page.number("reject", "refused")).isEqualTo("10");
		assertThat(this.page.number("reject", "tokens")).isEqualTo("0 of 10");
		assertThat(this.page.number("reject", "waiting")).isEqualTo("0");
	}

	@Test
	void showsTheQueueUntilThereAreTokens() {
		this.page.send("wait");
		this.page.untilNumber("wait", "waiting", "10");
		assertThat(this.page.result("wait")).isEqualTo("Sending 20 calls…");
		this.page.fill("wait");
		this.page.untilResult("wait", "20 calls: 20 accepted, 0 refused");
		this.page.untilNumber("wait", "waiting", "0");
	}

	@Test
	void showsThatASemaphoreKnowsNoRate() {
		this.page.send("semaphore");
		this.page.untilNumber("semaphore", "tokens", "0 of 5");
		this.page.untilResult("semaphore", "20 calls: 20 accepted, 0 refused");
		this.page.untilNumber("semaphore", "tokens", "5 of 5");
	}

	@Test
	void changesTheCapacityWhileTheLimitIsInUse() {
		this.page.send("reject");
		this.page.untilResult("reject", "20 calls: 10 accepted");
		this.page.press("reject", "capacity", Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
		this.page.untilNumber("reject", "tokens", "0 of 3");
		assertThat(this.page.output("reject", "capacity")).isEqualTo("3 tokens");
		this.page.fill("reject");
		this.page.untilNumber("reject", "tokens", "3 of 3");
		this.page.send("reject");
		this.page.untilResult("reject", "20 calls: 3 accepted, 17 refused");
	}

	@Test
	void changesTheRateWhileTheLimitIsInUse() {
		this.page.send("reject");
		this.page.untilNumber("reject", "tokens", "0 of 10");
		this.page.press("reject", "rate", Keys.END);
		this.page.untilNumber("reject", "tokens", "2 of 10");
		assertThat(this.page.output("reject", "rate")).isEqualTo("20 a minute");
		assertThat(this.registry.get("reject").settings().limit())
			.isEqualTo(RateLimit.of(20, Duration.ofMinutes(1), 10));
	}

	@Test
	void saysWhatALimitCannotBe() {
		browser.executeScript("document.querySelector('#reject [name=capacity]').min = 0");
		this.page.press("reject", "capacity", Keys.HOME);
		this.page.untilText("reject", ".problem", "capacity must be ");
		loggedTheRefusal();
		this.page.press("reject", "capacity", Keys.ARROW_RIGHT);
		this.page.untilNumber("reject", "tokens", "1 of 1");
	}

	@Test
	void followsChangesThatOthersMake() {
		this.registry.get("wait").change(RateLimit.of(7, Duration.ofSeconds(1), 30));
		this.page.untilNumber("wait", "tokens", "30 of 30");
		assertThat(this.page.output("wait", "rate")).isEqualTo("7 a second");
		assertThat(this.page.output("wait", "capacity")).isEqualTo("30 tokens");
	}

	@Test
	void drawsCallsOnChartAndStrip() {
		long before = this.page.painted("reject", ".strip");
		this.page.send("reject");
		this.page.untilNumber("reject", "refused", "10");
		assertThat(this.page.painted("reject", ".strip")).isGreaterThan(before);
		assertThat(this.page.painted("reject", ".chart canvas")).isPositive();
	}

	@Test
	void isOperatedByTheKeyboard() {
		List<String> names = new ArrayList<>();
		for (int control = 0; control < 10; control++) {
			names.add(this.page.tab().getAccessibleName());
		}
		assertThat(names).containsExactly("Calls in a burst", "Send 20 calls", "Rate", "Capacity", "Fill the bucket",
				"Send 20 calls", "Rate", "Capacity", "Fill the bucket", "Send 20 calls");
		browser.switchTo().activeElement().sendKeys(Keys.ENTER);
		this.page.untilResult("semaphore", "20 calls: 20 accepted");
	}

	@Test
	void tellsWhoDoesNotSeeItWhatBecameOfABurst() {
		List<WebElement> results = browser.findElements(By.cssSelector(".result"));
		assertThat(results).hasSize(3).allSatisfy((result) -> assertThat(result.getAriaRole()).isEqualTo("status"));
		assertThat(browser.findElements(By.cssSelector("section"))).extracting(WebElement::getAccessibleName)
			.containsExactly("A bucket that refuses: REJECT", "A bucket with a queue: WAIT",
					"A semaphore: five at a time");
	}

	private void loggedTheRefusal() {
		assertThat(browser.manage().logs().get(LogType.BROWSER).getAll()).extracting(LogEntry::getMessage)
			.singleElement()
			.asString()
			.contains("/actuator/ratelimits/reject", "400");
	}

}
