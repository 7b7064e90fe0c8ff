package dev.ratelimit.core;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * What a logger is told, as long as a test lasts.
 */
public final class LogRecords extends Handler implements AutoCloseable {

	private final Logger logger;

	private final List<String> messages = new CopyOnWriteArrayList<>();

	private LogRecords(Logger logger) {
		this.logger = logger;
	}

	public static LogRecords of(Class<?> type) {
		LogRecords records = new LogRecords(Logger.getLogger(type.getName()));
		records.logger.addHandler(records);
		return records;
	}

	public List<String> messages() {
		return this.messages;
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
	}

}
