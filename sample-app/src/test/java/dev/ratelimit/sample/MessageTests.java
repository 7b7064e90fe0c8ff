package dev.ratelimit.sample;

import java.time.Duration;

import dev.ratelimit.core.ManualTimeSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class MessageTests {

	@Autowired
	private SampleClient client;

	@Autowired
	private ManualTimeSource timeSource;

	@BeforeEach
	void reset() {
		this.client.reset();
	}

	@Test
	void answersForTheServiceThatRefuses() throws Exception {
		for (int message = 1; message <= 5; message++) {
			assertThat(send()).isEqualTo(202);
		}
		assertThat(send()).isEqualTo(429);
		this.timeSource.advance(Duration.ofMillis(500));
		assertThat(send()).isEqualTo(202);
	}

	private int send() throws Exception {
		return this.client.post("/api/messages?number=555-0100&text=Tea").statusCode();
	}

}
