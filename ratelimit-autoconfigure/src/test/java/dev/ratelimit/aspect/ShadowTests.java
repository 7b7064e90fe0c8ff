package dev.ratelimit.aspect;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.logging.Level;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.LogRecords;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.RecordingListener;
import dev.ratelimit.core.Reservation;
import dev.ratelimit.core.SilentStore;
import dev.ratelimit.core.TokenBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.ratelimit.aspect.Limits.available;
import static dev.ratelimit.aspect.Limits.passes;
import static dev.ratelimit.aspect.Limits.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * A limit in shadow mode counts and logs what it would not have let pass, and lets it
 * pass.
 */
@Timeout(60)
class ShadowTests {

	private final ManualTimeSource time = new ManualTimeSource();

	private final RecordingListener listener = new RecordingListener();

	private final ApplicationContextRunner runner = Limits.runner(this.time)
		.withBean(RateLimitListener.class, () -> this.listener)
		.withBean(Api.class)
		.withPropertyValues("ratelimit.buckets.orders.rate=2", "ratelimit.buckets.orders.shadow=true");

	@Test
	void letsPassWhatItWouldRefuse() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::orders)).isEqualTo(Limits.UNLIMITED);
			assertThat(this.listener.reports()).hasSize(Limits.UNLIMITED)
				.startsWith("orders allowed 1", "orders allowed 1", "orders shadowed 1")
				.endsWith("orders shadowed 1");
		});
	}

	@Test
	void takesNoTokensForWhatItWouldRefuse() {
		this.runner.run((context) -> {
			passes(context.getBean(Api.class)::orders);
			this.time.advance(Duration.ofMillis(500));
			assertThat(available(context, "orders")).isEqualTo(1);
			this.listener.reports();
			context.getBean(Api.class).orders();
			assertThat(this.listener.reports()).containsExactly("orders allowed 1");
		});
	}

	@Test
	void doesNotWait() {
		this.runner.withPropertyValues("ratelimit.buckets.orders.mode=wait").run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::orders)).isEqualTo(Limits.UNLIMITED);
			assertThat(api.later().toCompletableFuture()).isCompletedWithValue("done");
			assertThat(api.reactive().block(Duration.ZERO)).isEqualTo("done");
			assertThat(this.time.waiters()).isZero();
			assertThat(this.listener.reports()).hasSize(Limits.UNLIMITED + 2).endsWith("orders shadowed 1");
		});
	}

	@Test
	void letsPassWhatCanNeverPass() {
		this.runner.run((context) -> {
			context.getBean(Api.class).priced(3);
			assertThat(this.listener.reports()).containsExactly("orders shadowed 3");
			assertThat(available(context, "orders")).isEqualTo(2);
		});
	}

	@Test
	void neverRefusesForOtherLimitsOfTheCall() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(api::several)).isEqualTo(5);
			assertThat(this.listener.reports()).filteredOn((report) -> report.startsWith("orders"))
				.containsExactly("orders allowed 1", "orders allowed 1", "orders shadowed 1", "orders shadowed 1",
						"orders shadowed 1");
		});
	}

	@Test
	void leavesTheRefusalToTheOtherLimitAndCountsOnlyThat() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			passes(api::several);
			this.time.advance(Duration.ofMillis(100));
			this.listener.reports();
			assertThat(refusal(api::several).getBucketName()).isEqualTo("strict");
			assertThat(this.listener.reports()).containsExactly("strict rejected 1");
		});
	}

	@Test
	void holdsForCallsInCode() {
		this.runner.run((context) -> {
			TokenBucket bucket = context.getBean(TokenBucket.class);
			bucket.acquire(2);
			this.listener.reports();
			assertThat(bucket.tryAcquire()).isTrue();
			bucket.acquire();
			assertThat(bucket.tryAcquire(1, Duration.ofSeconds(5))).isTrue();
			Reservation reservation = bucket.reserve(1, Duration.ofSeconds(5));
			assertThat(reservation.granted()).isTrue();
			assertThat(reservation.waitTime()).isZero();
			assertThat(this.listener.reports()).hasSize(4).containsOnly("orders shadowed 1");
			reservation.cancel();
			assertThat(bucket.availableTokens()).isZero();
			assertThatIllegalArgumentException().isThrownBy(() -> bucket.tryAcquire(3));
		});
	}

	@Test
	void givesBackAReservationThatItGranted() {
		this.runner.run((context) -> {
			TokenBucket bucket = context.getBean(TokenBucket.class);
			bucket.reserve(2, Duration.ZERO).cancel();
			assertThat(bucket.availableTokens()).isEqualTo(2);
		});
	}

	@ParameterizedTest
	@EnumSource(RateLimitMode.class)
	void letsPassWhatTheStoreDoesNotAnswer(RateLimitMode mode) {
		this.runner.withBean(SilentStore.class)
			.withPropertyValues("ratelimit.buckets.orders.store=silent",
					"ratelimit.buckets.orders.on-store-failure=deny", "ratelimit.buckets.orders.mode=" + mode)
			.run((context) -> {
				Api api = context.getBean(Api.class);
				assertThat(passes(api::orders)).isEqualTo(Limits.UNLIMITED);
				assertThat(api.later().toCompletableFuture()).isCompletedWithValue("done");
				assertThat(api.reactive().block(Duration.ZERO)).isEqualTo("done");
				assertThat(this.listener.reports()).endsWith("orders shadowed 1");
			});
	}

	@Test
	void isSwitchedAtRunTime() {
		this.runner.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).get("orders");
			Api api = context.getBean(Api.class);
			passes(api::orders);
			limiter.shadow(false);
			assertThat(passes(api::orders)).isZero();
			limiter.shadow(true);
			assertThat(passes(api::orders)).isEqualTo(Limits.UNLIMITED);
		});
	}

	@Test
	void logsAtMostOneLineASecond() {
		this.runner.run((context) -> {
			try (LogRecords log = LogRecords.of(RateLimiter.class)) {
				Api api = context.getBean(Api.class);
				passes(api::orders);
				assertThat(log.messages(Level.INFO)).singleElement()
					.asString()
					.contains("'orders'", "shadow")
					.endsWith(": 1");
				this.time.advance(Duration.ofMillis(999));
				passes(api::orders);
				assertThat(log.messages(Level.INFO)).hasSize(1);
				this.time.advance(Duration.ofMillis(1));
				passes(api::orders);
				assertThat(log.messages(Level.INFO)).hasSize(2).last().asString().endsWith(": " + (17 + 19 + 1));
				assertThat(log.messages(Level.WARNING)).isEmpty();
			}
		});
	}

	static class Api {

		@RateLimited("orders")
		void orders() {
		}

		@RateLimited("orders")
		CompletionStage<String> later() {
			return CompletableFuture.completedStage("done");
		}

		@RateLimited("orders")
		Mono<String> reactive() {
			return Mono.just("done");
		}

		@RateLimited(name = "orders", tokens = "#tokens")
		void priced(int tokens) {
		}

		@RateLimited("orders")
		@RateLimited(name = "strict", rate = 5, per = "1d", mode = RateLimitMode.REJECT)
		void several() {
		}

	}

}
