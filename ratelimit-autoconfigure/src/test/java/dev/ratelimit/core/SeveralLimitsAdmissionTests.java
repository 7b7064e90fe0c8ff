package dev.ratelimit.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.ratelimit.core.SettingsBuilder.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the {@link RateLimitAdmission} of calls that have several limits: by all or by
 * none.
 */
@Timeout(60)
class SeveralLimitsAdmissionTests {

	private static final Duration LONG = Duration.ofHours(1);

	private final ManualTimeSource time = new ManualTimeSource();

	private final DecisionJournal journal = new DecisionJournal();

	private final RateLimiter fast = limiter(this.time, "fast", 10);

	private final RateLimiter slow = limiter(this.time, "slow", 1);

	private final RateLimiter broken = new RateLimiter(RateLimiterSettings.of("broken", RateLimit.perSecond(1)),
			new FixedStore(new BrokenBuckets()), this.time, this.journal);

	@Test
	void admitsByAll() {
		assertThat(ask(Duration.ZERO, this.fast, this.slow).await()).isNull();
		assertThat(this.journal.entries()).containsExactly("fast: allowed 1", "slow: allowed 1");
	}

	@Test
	void givesBackWhatTheOthersGrantedWhenOneRefuses() {
		empty(this.slow);
		RateLimitRefusal refusal = ask(Duration.ZERO, this.fast, this.slow).await();
		assertThat(refusal).isNotNull();
		assertThat(refusal.exception().getBucketName()).isEqualTo("slow");
		assertThat(this.fast.bucket().availableTokens()).isEqualTo(5);
	}

	@Test
	void namesTheRefusalThatTakesLongest() {
		empty(this.fast);
		empty(this.slow);
		assertThat(ask(Duration.ZERO, this.fast, this.slow).await().exception().getBucketName()).isEqualTo("slow");
		assertThat(ask(Duration.ZERO, this.slow, this.fast).await().exception().getBucketName()).isEqualTo("slow");
	}

	@Test
	void namesARefusalForEverBeforeAnyOther() {
		empty(this.slow);
		List<RateLimitRequest> requests = List.of(new RateLimitRequest(this.slow, null, 1, 0),
				new RateLimitRequest(this.fast, null, 6, 0));
		RateLimitRefusal refusal = RateLimitAdmission.request(requests, null).await();
		assertThat(refusal.exception().getBucketName()).isEqualTo("fast");
	}

	@Test
	void waitsForTheLongestOfTheWaits() {
		ManualTimeSource advancing = ManualTimeSource.autoAdvancing();
		RateLimiter fast = limiter(advancing, "fast", 10);
		RateLimiter slow = limiter(advancing, "slow", 1);
		empty(fast);
		empty(slow);
		assertThat(ask(LONG, slow, fast).await()).isNull();
		assertThat(advancing.nanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
		assertThat(this.journal.entries()).endsWith("slow: allowed 1 after 1000ms", "fast: allowed 1 after 100ms");
	}

	@Test
	void completesItsStageAfterTheLongestOfTheWaits() {
		empty(this.fast);
		empty(this.slow);
		CompletableFuture<Optional<RateLimitRefusal>> admitted = ask(LONG, this.slow, this.fast).whenAdmitted()
			.toCompletableFuture();
		this.time.advance(Duration.ofMillis(999));
		assertThat(admitted).isNotDone();
		this.time.advance(Duration.ofMillis(1));
		assertThat(admitted).isCompletedWithValue(Optional.empty());
	}

	@Test
	void isRefusedByALimitThatIsLoweredBeforeTheOthersAreDue() {
		empty(this.fast);
		empty(this.slow);
		CompletableFuture<Optional<RateLimitRefusal>> admitted = ask(Duration.ofSeconds(2), this.slow, this.fast)
			.whenAdmitted()
			.toCompletableFuture();
		this.fast.change(RateLimit.of(1, Duration.ofMinutes(1), 5));
		assertThat(admitted).isCompletedWithValueMatching(
				(refused) -> refused.orElseThrow().exception().getBucketName().equals("fast"));
		assertThat(this.slow.waiters()).isZero();
		assertThat(this.slow.bucket().reserve(1, Duration.ZERO).waitTime()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void asksNoFurtherLimitAfterARefusalInTheMeantime() {
		empty(this.fast);
		empty(this.slow);
		CompletableFuture<Optional<RateLimitRefusal>> admitted = ask(Duration.ofSeconds(2), this.fast, this.slow)
			.whenAdmitted()
			.toCompletableFuture();
		this.fast.change(RateLimit.of(1, Duration.ofMinutes(1), 5));
		this.time.advance(LONG);
		assertThat(admitted).isCompletedWithValueMatching(
				(refused) -> refused.orElseThrow().exception().getBucketName().equals("fast"));
		assertThat(this.slow.bucket().availableTokens()).isEqualTo(5);
	}

	@Test
	void givesBackWhatWasGrantedWhenAStoreFails() {
		assertThatExceptionOfType(RateLimitStoreUnavailableException.class)
			.isThrownBy(() -> ask(LONG, this.fast, this.broken));
		assertThat(this.fast.bucket().availableTokens()).isEqualTo(5);
	}

	@Test
	void failsItsStageAndGivesBackWhatWasGrantedWhenAStoreFails() {
		assertThat(Callers.failureOf(askAsync(this.fast, this.broken)))
			.isInstanceOf(RateLimitStoreUnavailableException.class);
		assertThat(this.fast.bucket().availableTokens()).isEqualTo(5);
	}

	@Test
	void asksWithoutAThreadAllTheSame() {
		empty(this.slow);
		assertThat(askAsync(this.fast, this.slow).thenCompose(RateLimitAdmission::whenAdmitted).toCompletableFuture())
			.isCompletedWithValueMatching(
					(refused) -> refused.orElseThrow().exception().getBucketName().equals("slow"));
		assertThat(this.fast.bucket().availableTokens()).isEqualTo(5);
	}

	@Test
	void asksAllAtTheSameTime() {
		List<CompletableFuture<Reservation>> asked = new ArrayList<>();
		RateLimiter silent = new RateLimiter(RateLimiterSettings.of("silent", RateLimit.perSecond(1)),
				new FixedStore(new BrokenBuckets() {

					@Override
					public CompletionStage<Reservation> reserveAsync(@Nullable String key, long tokens,
							long maxWaitNanos) {
						asked.add(new CompletableFuture<>());
						return asked.get(asked.size() - 1);
					}

				}), this.time, this.journal);
		CompletableFuture<RateLimitAdmission> admission = askAsync(silent, silent, silent);
		assertThat(asked).hasSize(3);
		asked.forEach((answer) -> {
			assertThat(admission).isNotDone();
			answer.complete(TimedReservation.granted(this.time, 0, 1, () -> CompletableFuture.completedStage(null)));
		});
		assertThat(admission).isCompleted();
	}

	@Test
	void endsTheWaitsForAllWhenTheApplicationShutsDown() {
		empty(this.fast);
		empty(this.slow);
		CompletableFuture<Optional<RateLimitRefusal>> admitted = ask(LONG, this.fast, this.slow).whenAdmitted()
			.toCompletableFuture();
		this.slow.close();
		this.fast.close();
		assertThat(Callers.failureOf(admitted)).isInstanceOf(RateLimitWaitInterruptedException.class)
			.hasMessage("The wait for rate limit 'fast', 'slow' ended early: the application is shutting down");
		assertThat(this.slow.waiters()).isZero();
		assertThat(this.fast.waiters()).isZero();
	}

	private RateLimiter limiter(ManualTimeSource time, String name, double rate) {
		return settings(name, RateLimit.of(rate, Duration.ofSeconds(1), 5)).limiter(time, this.journal);
	}

	private static void empty(RateLimiter limiter) {
		assertThat(limiter.bucket().tryAcquire(5)).isTrue();
	}

	private static RateLimitAdmission ask(Duration maxWait, RateLimiter... limiters) {
		return RateLimitAdmission.request(requests(maxWait, limiters), null);
	}

	private static CompletableFuture<RateLimitAdmission> askAsync(RateLimiter... limiters) {
		return RateLimitAdmission.requestAsync(requests(Duration.ZERO, limiters), null).toCompletableFuture();
	}

	private static List<RateLimitRequest> requests(Duration maxWait, RateLimiter... limiters) {
		return Stream.of(limiters).map((limiter) -> new RateLimitRequest(limiter, null, 1, maxWait.toNanos())).toList();
	}

}
