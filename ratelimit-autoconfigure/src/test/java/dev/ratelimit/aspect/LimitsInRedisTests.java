package dev.ratelimit.aspect;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.autoconfigure.RateLimitAspectAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitRedisAutoConfiguration;
import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitDecision;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.redis.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Limited methods whose buckets are in Redis.
 */
@Timeout(120)
class LimitsInRedisTests {

	private static RedisProcess server;

	private final RecordingCallContext caller = new RecordingCallContext("192.0.2.1");

	@BeforeAll
	static void start() {
		server = RedisProcess.start();
	}

	@AfterAll
	static void stop() {
		if (server != null) {
			server.close();
		}
	}

	@BeforeEach
	void empty() {
		assertThat(server.command("FLUSHALL")).isEqualTo("+OK");
	}

	@Test
	void costOneRoundTripEach() {
		run((service) -> {
			service.blocking();
			assertThat(server.command("CONFIG", "RESETSTAT")).isEqualTo("+OK");
			for (int i = 0; i < 4; i++) {
				service.blocking();
			}
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::blocking)
				.satisfies((ex) -> assertThat(ex.getRetryAfter()).isPositive());
			assertThat(server.command("EVAL", "return tonumber(string.match(redis.call('INFO', 'commandstats'),"
					+ " 'cmdstat_evalsha:calls=(%d+)'))", "0"))
				.isEqualTo(":5");
			assertThat(this.caller.decisions()).extracting(RateLimitDecision::availableTokens)
				.containsExactly(4L, 3L, 2L, 1L, 0L, 0L);
		});
	}

	@Test
	void letReactiveMethodsRunOffTheThreadsOfTheConnection() {
		run((service) -> {
			for (int i = 0; i < 5; i++) {
				assertThat(service.reactive().block()).doesNotStartWith("lettuce");
			}
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.reactive().block());
		});
	}

	@Test
	void letReactiveMethodsWait() {
		run((service) -> {
			for (int i = 0; i < 4; i++) {
				assertThat(service.waitingReactive().block()).startsWith("parallel");
			}
		});
	}

	@Test
	void letBlockingMethodsWait() {
		run((service) -> {
			for (int i = 0; i < 4; i++) {
				service.waiting();
			}
		});
	}

	@Test
	void answerThroughAStage() {
		run((service) -> {
			for (int i = 0; i < 5; i++) {
				assertThat(service.stage().toCompletableFuture().join()).doesNotStartWith("lettuce");
			}
			assertThat(service.stage().toCompletableFuture()).failsWithin(Duration.ofSeconds(60))
				.withThrowableThat()
				.withCauseInstanceOf(RateLimitExceededException.class);
		});
	}

	@Test
	void areAllOrNothing() {
		runWithRegistry((service, registry) -> {
			service.several();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::several)
				.satisfies((ex) -> assertThat(ex.getBucketName()).isEqualTo("narrow"));
			assertThat(registry.get("wide").bucket().availableTokens()).isEqualTo(4);
		});
	}

	private void run(Consumer<Service> test) {
		runWithRegistry((service, registry) -> test.accept(service));
	}

	private void runWithRegistry(BiConsumer<Service, RateLimiterRegistry> test) {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class,
							RateLimitRedisAutoConfiguration.class, DataRedisAutoConfiguration.class))
			.withBean(CallContext.Source.class, () -> () -> this.caller)
			.withBean(Service.class)
			.withPropertyValues("ratelimit.store=redis", "ratelimit.redis.timeout=30s",
					"spring.data.redis.port=" + server.port())
			.run((context) -> test.accept(context.getBean(Service.class), context.getBean(RateLimiterRegistry.class)));
	}

	static class Service {

		@RateLimited(name = "blocking", rate = 1, per = "1h", capacity = 5)
		void blocking() {
		}

		@RateLimited(name = "waiting", rate = 50, capacity = 1, mode = RateLimitMode.WAIT)
		void waiting() {
		}

		@RateLimited(name = "reactive", rate = 1, per = "1h", capacity = 5)
		Mono<String> reactive() {
			return Mono.fromSupplier(() -> Thread.currentThread().getName());
		}

		@RateLimited(name = "waitingReactive", rate = 50, capacity = 1, mode = RateLimitMode.WAIT)
		Mono<String> waitingReactive() {
			return Mono.fromSupplier(() -> Thread.currentThread().getName());
		}

		@RateLimited(name = "stage", rate = 1, per = "1h", capacity = 5)
		CompletionStage<String> stage() {
			return CompletableFuture.completedStage(Thread.currentThread().getName());
		}

		@RateLimited(name = "wide", rate = 1, per = "1h", capacity = 5)
		@RateLimited(name = "narrow", rate = 1, per = "1h", capacity = 1)
		void several() {
		}

	}

}
