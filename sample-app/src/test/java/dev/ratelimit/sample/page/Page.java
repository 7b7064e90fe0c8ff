package dev.ratelimit.sample.page;

import java.time.Duration;

import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.ExpectedCondition;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * The page as one who uses it sees it.
 */
final class Page {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ChromeDriver browser;

	Page(ChromeDriver browser) {
		this.browser = browser;
	}

	/**
	 * Opens the page, and returns once it shows the limits and what comes in live.
	 */
	void open(String port) {
		this.browser.get("http://localhost:" + port + "/");
		until((driver) -> !output("reject", "rate").isEmpty() && !output("wait", "rate").isEmpty());
		until((driver) -> number("semaphore", "waiting").equals("0"));
	}

	void send(String gate) {
		find(gate, ".send").click();
	}

	void fill(String gate) {
		find(gate, ".refill").click();
	}

	void press(String gate, String slider, CharSequence... keys) {
		find(gate, "[name=" + slider + "]").sendKeys(keys);
	}

	String output(String gate, String slider) {
		return find(gate, "[name=" + slider + "] + output").getText();
	}

	String number(String gate, String name) {
		return find(gate, "." + name + " dd").getText();
	}

	String result(String gate) {
		return find(gate, ".result").getText();
	}

	void untilNumber(String gate, String name, String number) {
		until((driver) -> number(gate, name).equals(number));
	}

	void untilResult(String gate, String start) {
		untilText(gate, ".result", start);
	}

	void untilText(String gate, String selector, String start) {
		until((driver) -> find(gate, selector).getText().startsWith(start));
	}

	/**
	 * Moves the focus on by the tabulator key, and returns what has it.
	 */
	WebElement tab() {
		this.browser.switchTo().activeElement().sendKeys(Keys.TAB);
		return this.browser.switchTo().activeElement();
	}

	/**
	 * Returns the number of pixels that are painted on a canvas.
	 */
	long painted(String gate, String canvas) {
		return (Long) this.browser.executeScript("""
				const canvas = arguments[0]
				const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
				return pixels.filter((value, index) => index % 4 === 3 && value > 0).length
				""", find(gate, canvas));
	}

	private WebElement find(String gate, String selector) {
		return this.browser.findElement(By.cssSelector("#" + gate + " " + selector));
	}

	private void until(ExpectedCondition<Boolean> condition) {
		new WebDriverWait(this.browser, PATIENCE).until(condition);
	}

}
