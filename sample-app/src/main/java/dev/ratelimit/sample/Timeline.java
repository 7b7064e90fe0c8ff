package dev.ratelimit.sample;

import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucket;

/**
 * Two scenes that show, in about 11 seconds, when calls pass a bucket, and what a
 * semaphore, a bucket and a queue each control.
 */
final class Timeline {

	private static final RateLimit LIMIT = RateLimit.perSecond(10);

	private static final int BURST = 20;

	private final TimeSource timeSource;

	private final Consumer<String> output;

	/**
	 * Creates a timeline.
	 * @param timeSource the clock
	 * @param output where the lines go, each as it happens
	 */
	Timeline(TimeSource timeSource, Consumer<String> output) {
		this.timeSource = timeSource;
		this.output = output;
	}

	/**
	 * Plays both scenes.
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	void play() throws InterruptedException {
		burst();
		comparison();
	}

	private void burst() throws InterruptedException {
		this.output.accept("Scene 1: %d calls, one bucket of %s.".formatted(BURST, LIMIT));
		this.output.accept("The full bucket lets ten pass at once. Then it is empty: one passes for each new token.");
		TokenBucket bucket = TokenBucket.create(LIMIT, this.timeSource);
		Stopwatch stopwatch = new Stopwatch(this.timeSource);
		for (int call = 1; call <= BURST; call++) {
			bucket.acquire();
			this.output.accept("%s  call %d passes".formatted(stopwatch, call));
		}
	}

	private void comparison() throws InterruptedException {
		this.output.accept("");
		this.output.accept("Scene 2: 100 calls of 50 ms each come at the same moment, three times.");
		this.output.accept("");
		this.output.accept("A semaphore of 5 controls how many run at a time. Their rate is what it happens to be:");
		Semaphore semaphore = new Semaphore(5);
		crowd().come((call) -> {
			semaphore.acquire();
			try {
				call.run();
			}
			finally {
				semaphore.release();
			}
		});
		this.output.accept("");
		this.output
			.accept("A bucket of 10 a second controls how many start in a second. It refuses the others at once:");
		TokenBucket refusing = TokenBucket.create(LIMIT, this.timeSource);
		crowd().come((call) -> {
			if (refusing.tryAcquire()) {
				call.run();
			}
		});
		this.output.accept("");
		this.output.accept("A queue before the same bucket controls what becomes of the others: they wait their turn:");
		TokenBucket queueing = TokenBucket.create(LIMIT, this.timeSource);
		crowd().come((call) -> {
			queueing.acquire();
			call.run();
		});
	}

	private Crowd crowd() {
		return new Crowd(this.timeSource, this.output);
	}

}
