package dev.ratelimit.sample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class DownloadTests {

	@Autowired
	private SampleClient client;

	@BeforeEach
	void reset() {
		this.client.reset();
	}

	@Test
	void takesAsLongAsItsBytesNeed() throws Exception {
		assertThat(this.client.get("/api/download").body()).hasSize(256 * 1024);
		assertThat(this.client.elapsedMillis()).isEqualTo(1500);
	}

	@Test
	void sharesTheBandwidthAmongAllDownloads() {
		assertThat(this.client.getAtOnce("/api/download", 4)).containsOnly(200);
		assertThat(this.client.elapsedMillis()).isEqualTo(7500);
	}

}
