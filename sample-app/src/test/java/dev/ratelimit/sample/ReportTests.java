package dev.ratelimit.sample;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class ReportTests {

	@Autowired
	private SampleClient client;

	@BeforeEach
	void reset() {
		this.client.reset();
	}

	@Test
	void givesEachUserTheLimitOfThePlan() throws Exception {
		for (int call = 1; call <= 20; call++) {
			assertThat(report("alice", "gold").body()).contains("made for alice");
		}
		assertThat(report("alice", "gold").statusCode()).isEqualTo(429);
		assertThat(report("bob", "gold").statusCode()).isEqualTo(200);
	}

	@Test
	void fallsBackWhereThePlanSaysSo() throws Exception {
		assertThat(report("carol", "silver").body()).contains("made for carol");
		assertThat(report("carol", "silver").body()).contains("made for carol");
		assertThat(report("carol", "silver").body()).contains("of yesterday");
	}

	@Test
	void givesSingleKeysLimitsOfTheirOwn() throws Exception {
		for (int call = 1; call <= 5; call++) {
			assertThat(report("partner-7", "silver").body()).contains("made for partner-7");
		}
		assertThat(report("partner-7", "silver").body()).contains("of yesterday");
		for (int call = 1; call <= 50; call++) {
			assertThat(report("health-check", "silver").body()).contains("made for health-check");
		}
	}

	@Test
	void chargesWhatACallCosts() throws Exception {
		assertThat(export(60).statusCode()).isEqualTo(200);
		HttpResponse<String> refusal = export(60);
		assertThat(refusal.statusCode()).isEqualTo(429);
		assertThat(refusal.headers().firstValue("Retry-After")).hasValue("12");
		assertThat(export(40).statusCode()).isEqualTo(200);
	}

	@Test
	void saysWhatCanNeverPass() throws Exception {
		HttpResponse<String> refusal = export(101);
		assertThat(refusal.statusCode()).isEqualTo(429);
		assertThat(refusal.headers().firstValue("Retry-After")).isEmpty();
	}

	private HttpResponse<String> report(String user, String plan) throws Exception {
		return this.client.get("/api/reports?user=" + user + "&plan=" + plan);
	}

	private HttpResponse<String> export(int rows) throws Exception {
		return this.client.get("/api/export?rows=" + rows);
	}

}
