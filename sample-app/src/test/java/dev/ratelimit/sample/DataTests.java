package dev.ratelimit.sample;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class DataTests {

	@Autowired
	private SampleClient client;

	@Autowired
	private ManualTimeSource timeSource;

	@Autowired
	private RateLimiterRegistry registry;

	@BeforeEach
	void reset() {
		this.client.reset();
	}

	@Test
	void refusesWhatIsMoreThanAHundredAtOnce() {
		List<Integer> statuses = this.client.getAtOnce("/api/data", 130);
		assertThat(Collections.frequency(statuses, 200)).isEqualTo(100);
		assertThat(Collections.frequency(statuses, 429)).isEqualTo(30);
		assertThat(this.client.elapsedMillis()).isZero();
	}

	@Test
	void passesOneMoreForEachHundredthOfASecond() {
		this.client.getAtOnce("/api/data", 100);
		this.timeSource.advanceNanos(9_999_999);
		assertThat(this.client.getAtOnce("/api/data", 1)).containsExactly(429);
		this.timeSource.advanceNanos(1);
		assertThat(this.client.getAtOnce("/api/data", 2)).containsExactlyInAnyOrder(200, 429);
	}

	@Test
	void answersAllThatIsQueuedAHundredASecond() {
		assertThat(this.client.getAtOnce("/api/data-queued", 130)).hasSize(130).containsOnly(200);
		assertThat(this.client.elapsedMillis()).isEqualTo(300);
	}

	@Test
	void refusesWhatWouldQueueForMoreThanTwoSeconds() {
		TokenBucket bucket = this.registry.get("DataController.dataQueued").bucket();
		for (int second = 0; second < 3; second++) {
			bucket.reserve(100, Duration.ofSeconds(2));
		}
		assertThat(this.client.getAtOnce("/api/data-queued", 1)).containsExactly(429);
		this.timeSource.advance(Duration.ofMillis(10));
		assertThat(this.client.getAtOnce("/api/data-queued", 1)).containsExactly(200);
		assertThat(this.client.elapsedMillis()).isEqualTo(2010);
	}

}
