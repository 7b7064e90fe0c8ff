package dev.ratelimit.core;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Records what a class writes to its {@link System.Logger}, debug lines included.
 */
public final class LogRecorder extends Handler implements AutoCloseable {

	private final List<LogRecord> records = new CopyOnWriteArrayList<>();

	private final Logger logger;

	private final Level levelBefore;

	public LogRecorder(Class<?> type) {
		this.logger = Logger.getLogger(type.getName());
		this.levelBefore = this.logger.getLevel();
		this.logger.setLevel(Level.FINE);
		this.logger.addHandler(this);
	}

	public List<String> lines(Level level) {
		return this.records.stream()
			.filter((record) -> record.getLevel().equals(level))
			.map(LogRecord::getMessage)
			.toList();
	}

	@Override
	public void publish(LogRecord record) {
		this.records.add(record);
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
