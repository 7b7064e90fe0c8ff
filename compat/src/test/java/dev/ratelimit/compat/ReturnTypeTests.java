package dev.ratelimit.compat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for limits on methods whose results come later.
 */
class ReturnTypeTests {

	@Test
	void eachSubscriptionToAMonoTakesAToken() {
		withService((service, context) -> {
			Mono<String> mono = service.mono();
			assertThat(mono.block()).isEqualTo("value");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(mono::block);
		});
	}

	@Test
	void eachSubscriptionToAFluxTakesAToken() {
		withService((service, context) -> {
			Flux<String> flux = service.flux();
			assertThat(flux.collectList().block()).containsExactly("a", "b");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(flux::blockLast);
		});
	}

	@Test
	void aMonoWaitsWithoutBlocking() {
		withService((service, context) -> {
			assertThat(service.waitingMono().block()).isEqualTo("value");
			assertThat(service.waitingMono().block()).isEqualTo("value");
			assertThat(context.getBean(ManualTimeSource.class).nanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
		});
	}

	@Test
	void aRefusalArrivesInTheStage() {
		withService((service, context) -> {
			assertThat(service.stage()).isCompletedWithValue("value");
			assertThat(service.stage()).isCompletedExceptionally()
				.failsWithin(Duration.ZERO)
				.withThrowableThat()
				.withCauseInstanceOf(RateLimitExceededException.class);
		});
	}

	private static void withService(Assertions assertions) {
		LimitedApplication.with(Service.class)
			.run((context) -> assertions.accept(context.getBean(Service.class), context));
	}

	@FunctionalInterface
	private interface Assertions {

		void accept(Service service, ApplicationContext context);

	}

	static class Service {

		@RateLimited(rate = 1)
		Mono<String> mono() {
			return Mono.just("value");
		}

		@RateLimited(rate = 1)
		Flux<String> flux() {
			return Flux.just("a", "b");
		}

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT)
		Mono<String> waitingMono() {
			return Mono.just("value");
		}

		@RateLimited(rate = 1)
		CompletionStage<String> stage() {
			return CompletableFuture.completedFuture("value");
		}

	}

}
