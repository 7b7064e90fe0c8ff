package dev.ratelimit.web;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitExceededException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for limits whose key asks for a caller where none can be known.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownCallerTests {

	private static final Map<String, String> WARN = Map.of("logging.level.dev.ratelimit", "warn");

	@ParameterizedTest
	@ValueSource(classes = { AddressController.class, PrincipalController.class, HeaderController.class,
			AddressService.class, ConditionalController.class })
	void aPlainMethodThatAsksForItsCallerEndsStartupOfAReactiveApplication(Class<?> type) {
		Throwable failure = catchThrowable(() -> HttpApplication.start(HttpServer.NETTY, Map.of(), type).close());
		assertThat(failure).as("startup failure").isNotNull();
		assertThat(Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.filter(RateLimitConfigurationException.class::isInstance)
			.map(RateLimitConfigurationException.class::cast)
			.flatMap((cause) -> cause.getFaults().stream())).singleElement().satisfies((fault) -> {
				assertThat(fault.problem()).contains(type.getSimpleName() + ".call");
				assertThat(fault.remedy()).contains("ServerWebExchange");
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { AddressController.class, PrincipalController.class, HeaderController.class,
			AddressService.class, ConditionalController.class })
	void theSameMethodIsFineInAServletApplication(Class<?> type) {
		try (HttpApplication application = HttpApplication.start(HttpServer.TOMCAT, Map.of(), type)) {
			assertThat(application.bean(type)).isNotNull();
		}
	}

	@Test
	void aMethodThatIsGivenItsRequestIsFineInAReactiveApplication() {
		try (HttpApplication application = HttpApplication.start(HttpServer.NETTY, Map.of(),
				ParameterController.class)) {
			for (String path : new String[] { "/exchange", "/request", "/mono" }) {
				assertThat(application.rawFrom("127.0.0.1", "GET", path).status()).isEqualTo(200);
				assertThat(application.rawFrom("127.0.0.2", "GET", path).status()).isEqualTo(200);
				assertThat(application.rawFrom("127.0.0.1", "GET", path).status()).isEqualTo(429);
			}
		}
	}

	@Test
	void offTheThreadOfAServletRequestTheBucketWithoutAKeyIsUsedAndWarnedOfOnce(CapturedOutput output) {
		try (HttpApplication application = HttpApplication.start(HttpServer.TOMCAT, WARN, AddressService.class)) {
			AddressService service = application.bean(AddressService.class);
			CompletableFuture.runAsync(service::call).join();
			assertThat(application.bucket("address").availableTokens()).isZero();
			assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(() -> CompletableFuture.runAsync(service::call).join())
				.withCauseInstanceOf(RateLimitExceededException.class);
			application.refill();
			service.call();
		}
		assertThat(output.getOut().lines().filter((line) -> line.contains(" WARN ") && line.contains("'address'")))
			.hasSize(1);
	}

	@Test
	void aScheduledJobDoesNotFail() throws InterruptedException {
		try (HttpApplication application = HttpApplication.start(HttpServer.TOMCAT, Map.of(), Job.class)) {
			assertThat(application.bean(Job.class).hasRun()).isTrue();
			assertThat(application.bucket("job").availableTokens()).isZero();
		}
	}

	@RestController
	static class AddressController {

		@GetMapping("/address")
		@RateLimited(name = "address", rate = 1, key = "clientIp")
		public String call() {
			return "address";
		}

	}

	@RestController
	static class PrincipalController {

		@GetMapping("/principal")
		@RateLimited(name = "principal", rate = 1, key = "#root.principal ?: 'nobody'")
		public String call() {
			return "principal";
		}

	}

	@RestController
	static class HeaderController {

		@GetMapping("/header")
		@RateLimited(name = "header", rate = 1, key = "header('X-Api-Key')")
		public CompletableFuture<String> call() {
			return CompletableFuture.completedFuture("header");
		}

	}

	@RestController
	static class ConditionalController {

		@GetMapping("/conditional")
		@RateLimited(name = "conditional", rate = 1, condition = "principal != 'root'")
		public String call() {
			return "conditional";
		}

	}

	static class AddressService {

		@RateLimited(name = "address", rate = 1, key = "clientIp")
		public void call() {
		}

	}

	@RestController
	static class ParameterController {

		@GetMapping("/exchange")
		@RateLimited(name = "exchange", rate = 1, key = "clientIp")
		String exchange(ServerWebExchange exchange) {
			return "exchange";
		}

		@GetMapping("/request")
		@RateLimited(name = "request", rate = 1, key = "clientIp")
		String request(ServerHttpRequest request) {
			return "request";
		}

		@GetMapping("/mono")
		@RateLimited(name = "mono", rate = 1, key = "clientIp")
		Mono<String> mono() {
			return Mono.just("mono");
		}

	}

	@EnableScheduling
	static class Job {

		private final CountDownLatch ran = new CountDownLatch(1);

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@RateLimited(name = "job", rate = 1, key = "principal ?: clientIp ?: header('X-Api-Key')")
		public void run() {
			this.ran.countDown();
		}

		boolean hasRun() throws InterruptedException {
			return this.ran.await(30, TimeUnit.SECONDS);
		}

	}

}
