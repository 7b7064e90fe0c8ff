package dev.ratelimit.sample;

import java.io.IOException;
import java.net.http.HttpResponse;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the packaged application.
 */
@Tag("packaged")
class PackagedApplicationTests {

	private static PackagedApplication application;

	@BeforeAll
	static void start() throws IOException {
		application = PackagedApplication.start();
	}

	@AfterAll
	static void stop() {
		if (application != null) {
			application.close();
		}
	}

	@Test
	void runsFromWhatWasProcessedAheadOfTime() {
		assertThat(application.log()).contains("Starting AOT-processed SampleApplication");
	}

	@Test
	void limitsByTheConfiguration() {
		for (int call = 0; call < 10; call++) {
			assertThat(application.get("/api/search?text=tea").statusCode()).isEqualTo(200);
		}
		HttpResponse<String> refused = application.get("/api/search?text=tea");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers().firstValue("RateLimit-Policy")).hasValue("\"search\";q=10;w=20");
		assertThat(refused.body()).contains("quota-exceeded");
	}

	@Test
	void evaluatesExpressionsAndCallsFallbacks() {
		for (int call = 0; call < 2; call++) {
			assertThat(application.get("/api/reports?user=bob&plan=silver").body()).contains("made for bob");
		}
		assertThat(application.get("/api/reports?user=bob&plan=silver").body()).contains("of yesterday");
		assertThat(application.get("/api/reports?user=eve&plan=silver").body()).contains("made for eve");
	}

}
