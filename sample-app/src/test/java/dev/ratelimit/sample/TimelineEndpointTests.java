package dev.ratelimit.sample;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class TimelineEndpointTests {

	@Autowired
	private SampleClient client;

	@BeforeEach
	void reset() {
		this.client.reset();
	}

	@Test
	void printsBothScenes() throws Exception {
		HttpResponse<String> timeline = this.client.get("/timeline");
		assertThat(timeline.statusCode()).isEqualTo(200);
		assertThat(timeline.headers().firstValue("Content-Type")).hasValue("text/plain;charset=UTF-8");
		assertThat(timeline.body()).startsWith("Scene 1: ").contains(" 1000 ms  call 20 passes", "Scene 2: ");
		assertThat(timeline.body().lines().filter((line) -> line.contains("done: "))).hasSize(3);
	}

}
