package dev.ratelimit.web;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * The log of the process, which applications on ports of their own keep quiet.
 */
public final class RootLog {

	private RootLog() {
	}

	/**
	 * Lets tests of the same process read logs again.
	 */
	public static void restore() {
		LoggingSystem logging = LoggingSystem.get(RootLog.class.getClassLoader());
		logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.INFO);
		logging.setLogLevel("dev.ratelimit", null);
		logging.setLogLevel("dev.ratelimit.web", null);
	}

}
