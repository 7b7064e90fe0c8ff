package dev.ratelimit.compat;

import java.util.concurrent.TimeUnit;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that the meter registry that Spring Boot configures on this line counts calls.
 */
class MetricsTests {

	@Test
	void countsCallsByTheirOutcome() {
		LimitedApplication.with(Service.class).run((context) -> {
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(requests(meters, "rejecting", "rejected")).isZero();
			Service service = context.getBean(Service.class);
			service.rejecting();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::rejecting);
			assertThat(requests(meters, "rejecting", "allowed")).isEqualTo(1);
			assertThat(requests(meters, "rejecting", "rejected")).isEqualTo(1);
			assertThat(meters.get("ratelimit.tokens").tag("bucket", "rejecting").gauge().value()).isZero();
		});
	}

	@Test
	void timesWaits() {
		LimitedApplication.with(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			service.waiting();
			service.waiting();
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(requests(meters, "waiting", "waited")).isEqualTo(1);
			assertThat(meters.get("ratelimit.wait").tag("bucket", "waiting").timer().totalTime(TimeUnit.SECONDS))
				.isEqualTo(1);
		});
	}

	@Test
	void countsNothingWhereTheyAreSwitchedOff() {
		LimitedApplication.with(Service.class)
			.withPropertyValues("ratelimit.metrics.enabled=false")
			.run((context) -> assertThat(context.getBean(MeterRegistry.class).getMeters())
				.noneMatch((meter) -> meter.getId().getName().startsWith("ratelimit.")));
	}

	private static double requests(MeterRegistry meters, String bucket, String outcome) {
		return meters.get("ratelimit.requests").tags("bucket", bucket, "outcome", outcome).counter().count();
	}

	static class Service {

		@RateLimited(name = "rejecting", rate = 1)
		void rejecting() {
		}

		@RateLimited(name = "waiting", rate = 1, mode = RateLimitMode.WAIT)
		void waiting() {
		}

	}

}
