package dev.ratelimit.web;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what becomes of a call that waits when its client leaves.
 */
class HttpLeavingClientTests {

	private static final HttpApplications applications = HttpApplications.of(PatientController.class, Calls.class)
		.with("ratelimit.buckets.route.rate", "1")
		.with("ratelimit.http.routes[0].path", "/route")
		.with("ratelimit.http.routes[0].bucket", "route")
		.with("ratelimit.http.routes[0].mode", "wait");

	@AfterAll
	static void stop() {
		applications.close();
	}

	@ParameterizedTest
	@CsvSource({ "/delayed, delayed", "/route, route" })
	void onReactorNettyTheCallGivesItsPlaceUp(String path, String bucket) throws IOException {
		HttpApplication application = applications.on(HttpServer.NETTY);
		RateLimiter limiter = leaveWaiting(application, path, bucket);
		await(() -> limiter.waiters() == 0);
		application.time().advance(Duration.ofSeconds(1));
		assertThat(limiter.bucket().availableTokens()).isOne();
		assertThat(application.bean(Calls.class).number).hasValue(1);
	}

	@ParameterizedTest
	@CsvSource({ "/parked, parked", "/route, route" })
	void onAServletContainerTheCallTakesItsTokensAndRuns(String path, String bucket) throws IOException {
		HttpApplication application = applications.on(HttpServer.TOMCAT);
		RateLimiter limiter = leaveWaiting(application, path, bucket);
		application.time().advance(Duration.ofSeconds(1));
		await(() -> application.bean(Calls.class).number.get() == 2);
		assertThat(limiter.bucket().availableTokens()).isZero();
	}

	private static RateLimiter leaveWaiting(HttpApplication application, String path, String bucket)
			throws IOException {
		application.bean(Calls.class).number.set(0);
		assertThat(application.get(path).statusCode()).isEqualTo(200);
		RateLimiter limiter = application.bean(RateLimiterRegistry.class).get(bucket);
		try (Socket client = application.begin(path)) {
			await(() -> limiter.waiters() == 1);
		}
		return limiter;
	}

	private static void await(BooleanSupplier condition) {
		long start = System.nanoTime();
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime() - start).as("time to wait").isLessThan(TimeUnit.SECONDS.toNanos(30));
			Thread.onSpinWait();
		}
	}

	static class Calls {

		private final AtomicInteger number = new AtomicInteger();

		String count() {
			return "call " + this.number.incrementAndGet();
		}

	}

	@RestController
	static class PatientController {

		private final Calls calls;

		PatientController(Calls calls) {
			this.calls = calls;
		}

		@GetMapping("/parked")
		@RateLimited(name = "parked", rate = 1, mode = RateLimitMode.WAIT)
		String parked() {
			return this.calls.count();
		}

		@GetMapping("/delayed")
		@RateLimited(name = "delayed", rate = 1, mode = RateLimitMode.WAIT)
		Mono<String> delayed() {
			return Mono.fromCallable(this.calls::count);
		}

		@GetMapping("/route")
		String route() {
			return this.calls.count();
		}

	}

}
