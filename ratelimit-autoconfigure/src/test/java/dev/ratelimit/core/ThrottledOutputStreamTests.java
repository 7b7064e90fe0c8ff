package dev.ratelimit.core;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of a {@link ThrottledOutputStream}.
 */
@Timeout(60)
class ThrottledOutputStreamTests {

	private static final RateLimit LIMIT = RateLimit.of(100, Duration.ofSeconds(1), 50);

	private final ByteArrayOutputStream written = new ByteArrayOutputStream();

	private final Callers callers = new Callers();

	@AfterEach
	void endThreads() throws InterruptedException {
		this.callers.endAll();
	}

	@Test
	void writesWhatItIsGivenInOrder() throws IOException {
		byte[] bytes = new byte[1_000];
		new Random(42).nextBytes(bytes);
		try (OutputStream stream = throttled(ManualTimeSource.autoAdvancing(), LIMIT)) {
			stream.write(bytes);
		}
		assertThat(this.written.toByteArray()).isEqualTo(bytes);
	}

	@Test
	void writesNoMoreThanTheSectionItIsGiven() throws IOException {
		throttled(ManualTimeSource.autoAdvancing(), LIMIT).write(new byte[] { 1, 2, 3, 4, 5 }, 1, 3);
		assertThat(this.written.toByteArray()).containsExactly(2, 3, 4);
	}

	@Test
	void takesAsLongAsTheLimitSays() throws IOException {
		ManualTimeSource time = ManualTimeSource.autoAdvancing();
		throttled(time, LIMIT).write(new byte[250]);
		assertThat(time.nanos()).isEqualTo(Duration.ofSeconds(2).toNanos());
	}

	@Test
	void countsSingleBytes() throws IOException {
		ManualTimeSource time = ManualTimeSource.autoAdvancing();
		OutputStream stream = throttled(time, LIMIT);
		for (int i = 0; i < 51; i++) {
			stream.write(i);
		}
		assertThat(time.nanos()).isEqualTo(Duration.ofMillis(10).toNanos());
		assertThat(this.written.toByteArray()).hasSize(51).startsWith(0, 1, 2);
	}

	@ParameterizedTest
	@CsvSource({ "1000000, 20000, 8192", "3, 10, 3" })
	void writesInPiecesThatTheBucketCanHoldAndThatAreNotTooLarge(long capacity, int length, int largest)
			throws IOException {
		List<Integer> pieces = new ArrayList<>();
		OutputStream out = new OutputStream() {

			@Override
			public void write(int b) {
				pieces.add(1);
			}

			@Override
			public void write(byte[] b, int off, int len) {
				pieces.add(len);
			}

		};
		TokenBucket bucket = TokenBucket.create(RateLimit.of(1, Duration.ofNanos(1), capacity),
				ManualTimeSource.autoAdvancing());
		new ThrottledOutputStream(out, bucket).write(new byte[length]);
		assertThat(pieces).contains(largest).allMatch((piece) -> piece <= largest);
		assertThat(pieces.stream().mapToInt(Integer::intValue).sum()).isEqualTo(length);
	}

	@Test
	void rejectsASectionThatIsNotThere() {
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> throttled(new ManualTimeSource(), LIMIT).write(new byte[3], 2, 2));
	}

	@Test
	void saysHowMuchIsWrittenWhenInterrupted() throws Exception {
		ManualTimeSource time = new ManualTimeSource();
		OutputStream stream = throttled(time, LIMIT);
		Callers.Caller<Boolean> caller = this.callers.startAndPark(time, () -> {
			assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> stream.write(new byte[60]))
				.satisfies((ex) -> assertThat(ex.bytesTransferred).isEqualTo(50));
			return Thread.interrupted();
		});
		caller.thread().interrupt();
		assertThat(caller.result()).isTrue();
		assertThat(this.written.size()).isEqualTo(50);
	}

	private OutputStream throttled(TimeSource time, RateLimit limit) {
		return new ThrottledOutputStream(this.written, TokenBucket.create(limit, time));
	}

}
