package dev.ratelimit.sample;

import java.util.concurrent.TimeUnit;

import dev.ratelimit.core.TimeSource;

/**
 * Milliseconds since its creation, as text of a fixed width.
 */
final class Stopwatch {

	private final TimeSource timeSource;

	private final long start;

	Stopwatch(TimeSource timeSource) {
		this.timeSource = timeSource;
		this.start = timeSource.nanos();
	}

	@Override
	public String toString() {
		return "%5d ms".formatted(TimeUnit.NANOSECONDS.toMillis(this.timeSource.nanos() - this.start));
	}

}
