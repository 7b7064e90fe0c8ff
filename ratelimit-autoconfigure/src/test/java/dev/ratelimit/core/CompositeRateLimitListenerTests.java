package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static dev.ratelimit.core.SettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests of several {@link RateLimitListener}s that are told by one.
 */
class CompositeRateLimitListenerTests {

	private final DecisionJournal journal = new DecisionJournal();

	@Test
	void tellsEachListenerOfEveryKindOfDecision() {
		DecisionJournal other = new DecisionJournal();
		RateLimitListener listener = RateLimitListener.of(List.of(other, this.journal));
		tellEverything(listener);
		assertThat(this.journal.entries()).containsExactly("orders[alice]: allowed 1",
				"orders[alice]: allowed 2 after 5ms", "orders[alice]: rejected 3", "orders[alice]: cancelled 4",
				"orders[alice]: exempt 5");
		assertThat(other.entries()).isEqualTo(this.journal.entries());
	}

	@Test
	void keepsFailuresFromTheCallAndFromTheOtherListeners() {
		RateLimitListener listener = RateLimitListener.of(List.of(new FailingListener(), this.journal));
		assertThatNoException().isThrownBy(() -> tellEverything(listener));
		assertThat(this.journal.entries()).hasSize(5);
	}

	@Test
	void isNobodyWhereThereIsNobodyToTell() {
		assertThatNoException().isThrownBy(() -> tellEverything(RateLimitListener.of(List.of())));
	}

	private static void tellEverything(RateLimitListener listener) {
		RateLimiter limiter = settings("orders", RateLimit.perSecond(1)).limiter(new ManualTimeSource(),
				RateLimitListener.NO_OP);
		listener.allowed(limiter, "alice", 1);
		listener.waited(limiter, "alice", 2, Duration.ofMillis(5));
		listener.rejected(limiter, "alice", 3);
		listener.cancelled(limiter, "alice", 4);
		listener.exempt(limiter, "alice", 5);
	}

	private static final class FailingListener implements RateLimitListener {

		@Override
		public void allowed(RateLimiter limiter, @Nullable String key, long tokens) {
			throw new IllegalStateException("a listener's own problem");
		}

		@Override
		public void rejected(RateLimiter limiter, @Nullable String key, long tokens) {
			throw new IllegalStateException("a listener's own problem");
		}

	}

}
