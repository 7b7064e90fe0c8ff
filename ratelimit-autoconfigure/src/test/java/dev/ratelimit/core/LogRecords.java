package dev.ratelimit.core;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * What a class writes to its {@link System.Logger} as long as a test lasts, debug lines
 * included.
 */
public final class LogRecords extends Handler implements AutoCloseable {

	private final Logger logger;

	private final Level levelBefore;

	private final List<String> messages = new CopyOnWriteArrayList<>();

	private LogRecords(Logger logger) {
		this.logger = logger;
		this.levelBefore = logger.getLevel();
	}

	public static LogRecords of(Class<?> type) {
		LogRecords records = new LogRecords(Logger.getLogger(type.getName()));
		records.logger.setLevel(Level.FINE);
		records.logger.addHandler(records);
		return records;
	}

	public List<String> messages() {
		return this.messages;
	}

	/**
	 * Returns the messages of a level, without it.
	 */
	public List<String> messages(Level level) {
		String prefix = level + " ";
		return this.messages.stream()
			.filter((message) -> message.startsWith(prefix))
			.map((message) -> message.substring(prefix.length()))
			.toList();
	}

	@Override
	public void publish(LogRecord entry) {
		this.messages.add(entry.getLevel() + " " + new SimpleFormatter().formatMessage(entry));
	}

	@Override
	public void flush() {
	}

	@Override
	public void close() {
		this.logger.removeHandler(this);
		this.logger.setLevel(this.levelBefore);
	}

}
