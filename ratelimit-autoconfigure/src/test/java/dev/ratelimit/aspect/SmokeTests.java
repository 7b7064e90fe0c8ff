package dev.ratelimit.aspect;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.autoconfigure.RateLimitAspectAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SmokeTests {

	private final ManualTimeSource time = new ManualTimeSource();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class))
		.withBean(ManualTimeSource.class, () -> this.time)
		.withBean(Service.class);

	@Test
	void works() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			Service service = context.getBean(Service.class);
			assertThat(service.keyed("a")).isEqualTo("a");
			assertThat(service.keyed("b")).isEqualTo("b");
			assertThat(service.keyed("a")).isEqualTo("refused a Service.keyed");
			service.priced(5);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.priced(6));
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.priced(11))
				.satisfies((ex) -> assertThat(ex.getRetryAfter()).isNull());
			service.both();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(service::both)
				.satisfies((ex) -> assertThat(ex.getBucketName()).isEqualTo("Service.both-2"));
			RateLimiterRegistry registry = context.getBean(RateLimiterRegistry.class);
			assertThat(registry.get("Service.both").bucket().availableTokens()).isEqualTo(9);
			assertThat(registry.get("Service.keyed").bucket("a").availableTokens()).isZero();
			Mono<String> mono = service.mono();
			mono.subscribe();
			StringBuilder out = new StringBuilder();
			Disposable second = mono.subscribe(out::append);
			mono.subscribe(out::append);
			assertThat(Service.subscribed).isEqualTo(1);
			assertThat(this.time.waiters()).isEqualTo(2);
			second.dispose();
			this.time.advance(Duration.ofSeconds(1));
			while (Service.subscribed < 2) {
				Thread.onSpinWait();
			}
			service.stage().get();
			CompletableFuture<String> stage = service.stage();
			assertThat(stage).isNotDone();
			this.time.advance(Duration.ofSeconds(1));
			assertThat(stage.get()).isEqualTo("stage");
			assertThat(registry.limiters()).extracting((l) -> l.waiters()).containsOnly(0);
		});
	}

	static class Service {

		static volatile int subscribed;

		@RateLimited(rate = 1, key = "#user", fallback = "refused")
		String keyed(String user) {
			return user;
		}

		private String refused(String user, RateLimitExceededException ex) {
			return "refused " + user + " " + ex.getBucketName();
		}

		@RateLimited(rate = 10, tokens = "#n + 0")
		void priced(int n) {
		}

		@RateLimited(rate = 10)
		@RateLimited(rate = 1)
		void both() {
		}

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT)
		Mono<String> mono() {
			subscribed++;
			return Mono.just("x");
		}

		@RateLimited(rate = 1, mode = RateLimitMode.WAIT)
		CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("stage");
		}

	}

}
