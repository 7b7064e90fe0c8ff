package dev.ratelimit.sample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class BookTests {

	@Autowired
	private SampleClient client;

	@BeforeEach
	void reset() {
		this.client.reset();
	}

	@Test
	void readsTheDatabase() throws Exception {
		assertThat(this.client.get("/api/books?author=Jane%20Austen").body()).isEqualTo(
				"[{\"title\":\"Emma\",\"author\":\"Jane Austen\"},{\"title\":\"Persuasion\",\"author\":\"Jane Austen\"}]");
	}

	@Test
	void queriesTenTimesASecondAfterABurstOfFive() {
		assertThat(this.client.getAtOnce("/api/books?author=George%20Eliot", 20)).hasSize(20).containsOnly(200);
		assertThat(this.client.elapsedMillis()).isEqualTo(1500);
	}

}
