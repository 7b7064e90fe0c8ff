package dev.ratelimit.sample.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.logging.Level;

import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * Headless Chromium, where Debian's packages {@code chromium} and {@code chromium-driver}
 * are installed.
 */
final class Chromium {

	private static final Path BROWSER = Path.of("/usr/bin/chromium");

	private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

	private Chromium() {
	}

	static boolean isInstalled() {
		return Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER);
	}

	/**
	 * Starts a browser with a new profile.
	 */
	static ChromeDriver start() {
		ChromeDriverService service = new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile())
			.usingAnyFreePort()
			.build();
		return new ChromeDriver(service, options());
	}

	/**
	 * Shows pages as in a window of another size, and in light or dark.
	 */
	static void emulate(ChromeDriver browser, String scheme, int width, int height) {
		browser.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", new Object[] { Map.of("name", "prefers-color-scheme", "value", scheme) }));
		browser.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
	}

	private static ChromeOptions options() {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(BROWSER.toFile());
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync",
				"--user-data-dir=" + newProfile());
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
		return options;
	}

	private static Path newProfile() {
		try {
			return Files.createTempDirectory(Path.of("target").toAbsolutePath(), "chromium");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
