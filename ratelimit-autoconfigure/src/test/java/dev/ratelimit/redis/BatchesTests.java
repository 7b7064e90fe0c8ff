package dev.ratelimit.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.ratelimit.core.RateLimit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests of how operations travel.
 */
class BatchesTests {

	private static final RedisLimit LIMIT = RedisLimit.of(RateLimit.perSecond(10));

	private static final RedisLimit OTHER_LIMIT = RedisLimit.of(RateLimit.perSecond(20));

	private static final int BEFORE_OPERATIONS = 6;

	private final RecordingRunner runner = new RecordingRunner();

	private final Batches batches = new Batches(this.runner, () -> "", Duration.ofMinutes(1));

	@Test
	void aLoneOperationTravelsAtOnce() {
		CompletableFuture<Answer> answer = this.batches.send("key", take(1));
		assertThat(this.runner.trips).containsExactly("key take 1 -1 1");
		this.runner.answer(0, 1);
		assertThat(answer.join().waitMicros()).isZero();
		this.batches.send("key", take(2));
		assertThat(this.runner.trips).hasSize(2);
	}

	@Test
	void operationsOnAKeyThatIsUnderWayTravelTogetherInOrder() {
		this.batches.send("key", take(1));
		CompletableFuture<Answer> second = this.batches.send("key", take(2));
		CompletableFuture<Answer> third = this.batches.send("key", take(3));
		assertThat(this.runner.trips).hasSize(1);
		this.runner.answer(0, 1);
		assertThat(this.runner.trips).containsExactly("key take 1 -1 1", "key take 2 -1 1 take 3 -1 1");
		this.runner.answer(1, 2);
		assertThat(second.join().waitMicros()).isZero();
		assertThat(third.join().waitMicros()).isEqualTo(1);
	}

	@Test
	void equalOperationsTravelAsOneAndShareItsAnswer() {
		this.batches.send("key", take(1));
		List<CompletableFuture<Answer>> answers = Stream.generate(() -> this.batches.send("key", take(2)))
			.limit(4)
			.toList();
		this.runner.answer(0, 1);
		assertThat(this.runner.trips).containsExactly("key take 1 -1 1", "key take 2 -1 4");
		this.runner.results.get(1).complete(List.of(3L, 50L, 1L, new byte[0]));
		assertThat(answers).extracting(CompletableFuture::join)
			.containsExactly(new Answer(true, 0, 5, ""), new Answer(true, 0, 3, ""), new Answer(true, 0, 1, ""),
					new Answer(false, 50, 1, ""));
	}

	@Test
	void ticketsOfEqualOperationsTellThemApart() {
		this.batches.send("key", take(1));
		List<CompletableFuture<Answer>> answers = Stream
			.generate(() -> this.batches.send("key", Operation.take(LIMIT, 1, 0)))
			.limit(2)
			.toList();
		this.runner.answer(0, 1);
		this.runner.results.get(1).complete(List.of(2L, 0L, 7L, "last".getBytes(StandardCharsets.US_ASCII)));
		assertThat(answers).extracting((answer) -> answer.join().ticket()).containsExactly("last 1", "last 0");
	}

	@Test
	void operationsThatMayWaitAreNotCounted() {
		this.batches.send("key", take(1));
		this.batches.send("key", Operation.take(LIMIT, 1, 5));
		this.batches.send("key", Operation.take(LIMIT, 1, 5));
		this.runner.answer(0, 1);
		assertThat(this.runner.trips).containsExactly("key take 1 -1 1", "key take 1 5 1 take 1 5 1");
	}

	@Test
	void operationsOnOtherKeysDoNotWait() {
		this.batches.send("key", take(1));
		this.batches.send("other", take(1));
		assertThat(this.runner.trips).hasSize(2);
	}

	@Test
	void operationsOfDifferentLimitsTravelApart() {
		this.batches.send("key", take(1));
		this.batches.send("key", take(2));
		this.batches.send("key", Operation.take(OTHER_LIMIT, 3, Operation.NO_WAIT));
		this.runner.answer(0, 1);
		this.runner.answer(1, 1);
		assertThat(this.runner.trips).containsExactly("key take 1 -1 1", "key take 2 -1 1", "key take 3 -1 1");
	}

	@Test
	void operationsThatWereGivenUpStayBehind() {
		this.batches.send("key", take(1));
		this.batches.send("key", take(2)).cancel(false);
		this.batches.send("key", take(3));
		this.runner.answer(0, 1);
		assertThat(this.runner.trips).containsExactly("key take 1 -1 1", "key take 3 -1 1");
	}

	@Test
	void aFailureIsThatOfAllWhoTravelTogether() {
		CompletableFuture<Answer> first = this.batches.send("key", take(1));
		CompletableFuture<Answer> second = this.batches.send("key", take(2));
		this.runner.results.get(0).completeExceptionally(new IllegalStateException("broken"));
		assertThat(first).isCompletedExceptionally();
		assertThat(second).isNotDone();
		assertThat(this.runner.trips).hasSize(2);
		assertThat(this.runner.resets).isEqualTo(1);
	}

	@Test
	void anAnswerThatCannotBeReadIsAFailure() {
		CompletableFuture<Answer> answer = this.batches.send("key", take(1));
		this.runner.results.get(0).complete(List.of());
		assertThatException().isThrownBy(answer::join);
		assertThat(this.batches.send("key", take(1))).isNotDone();
		assertThat(this.runner.trips).hasSize(2);
	}

	private static Operation take(long tokens) {
		return Operation.take(LIMIT, tokens, Operation.NO_WAIT);
	}

	private static final class RecordingRunner implements ScriptRunner {

		private final List<String> trips = new ArrayList<>();

		private final List<CompletableFuture<List<Object>>> results = new ArrayList<>();

		private int resets;

		@Override
		public CompletableFuture<List<Object>> run(byte[] key, byte[][] arguments) {
			StringBuilder trip = new StringBuilder(new String(key, StandardCharsets.UTF_8));
			for (int i = BEFORE_OPERATIONS; i < arguments.length; i++) {
				trip.append(' ').append(new String(arguments[i], StandardCharsets.UTF_8));
			}
			this.trips.add(trip.toString());
			CompletableFuture<List<Object>> result = new CompletableFuture<>();
			this.results.add(result);
			return result;
		}

		@Override
		public void connect() {
		}

		@Override
		public void reset() {
			this.resets++;
		}

		/**
		 * Answers a trip; the wait in an answer is its number within the trip.
		 */
		void answer(int trip, int operations) {
			List<Object> answers = new ArrayList<>();
			for (long i = 0; i < operations; i++) {
				answers.addAll(List.of(1L, i, 0L, new byte[0]));
			}
			this.results.get(trip).complete(answers);
		}

	}

}
