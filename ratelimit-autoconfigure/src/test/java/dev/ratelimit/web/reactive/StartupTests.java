package dev.ratelimit.web.reactive;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.autoconfigure.RateLimitAspectAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitRedisAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitWebAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitWebFluxAutoConfiguration;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitMode;
import io.reactivex.rxjava3.core.Single;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Controller;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what startup says about the methods of a reactive application.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartupTests {

	private final ReactiveWebApplicationContextRunner runner = new ReactiveWebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, RateLimitAspectAutoConfiguration.class,
						RateLimitWebAutoConfiguration.class, RateLimitWebFluxAutoConfiguration.class));

	@ParameterizedTest
	@ValueSource(classes = { PlainByClient.class, FutureByPrincipal.class, PlainByRoot.class,
			PlainWithCallerInCondition.class })
	void aMethodThatCannotKnowItsCallerEndsStartup(Class<?> type) {
		this.runner.withBean(type)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(RateLimitConfigurationException.class)
				.hasMessageContaining(type.getName() + ".call")
				.hasMessageContaining("all callers would share one bucket"));
	}

	@Test
	void theReportSaysWhatToWriteInstead() {
		this.runner.withBean(PlainByClient.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(RateLimitConfigurationException.class,
						(failure) -> assertThat(failure.getFaults().get(0).remedy()).contains("reactive", "suspending",
								"ServerWebExchange", "ServerHttpRequest", "#userId")));
	}

	@ParameterizedTest
	@ValueSource(classes = { Reactive.class, ByArguments.class, SuspendingController.class })
	void aMethodThatKnowsItsCallerIsFine(Class<?> type) {
		this.runner.withBean(type).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aControllerThatWaitsOnAnEventLoopIsWarnedOf(CapturedOutput output) {
		this.runner.withBean(Waiting.class)
			.run((context) -> assertThat(output).containsOnlyOnce("event loop")
				.contains(Waiting.class.getName() + ".plain", "return a reactive type"));
	}

	@Test
	void aControllerThatAsksRedisOnAnEventLoopIsWarnedOf(CapturedOutput output) {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(RateLimitRedisAutoConfiguration.class, DataRedisAutoConfiguration.class))
			.withBean(Waiting.class)
			.withPropertyValues("ratelimit.buckets.rejecting.store=redis", "spring.data.redis.port=1")
			.run((context) -> assertThat(output)
				.contains(Waiting.class.getName() + ".rejecting", "the answer of the store 'redis'",
						"keep its buckets in the store 'local'")
				.doesNotContain(Waiting.class.getName() + ".mono"));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void aControllerThatWaitsOnAVirtualThreadIsFine(CapturedOutput output) {
		this.runner.withBean(Waiting.class)
			.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((context) -> assertThat(output).doesNotContain("event loop"));
	}

	static class PlainByClient {

		@RateLimited(rate = 1, key = "clientIp")
		String call(String user) {
			return user;
		}

	}

	static class FutureByPrincipal {

		@RateLimited(rate = 1, key = "principal ?: clientIp")
		CompletableFuture<String> call() {
			return CompletableFuture.completedFuture("");
		}

	}

	static class PlainByRoot {

		@RateLimited(rate = 1, key = "#root.header('X-Api-Key')")
		void call() {
		}

	}

	static class PlainWithCallerInCondition {

		@RateLimited(rate = 1, condition = "clientIp != '127.0.0.1'")
		void call() {
		}

	}

	static class Reactive {

		@RateLimited(name = "mono", rate = 1, key = "clientIp")
		Mono<String> mono() {
			return Mono.empty();
		}

		@RateLimited(name = "flux", rate = 1, key = "principal")
		Flux<String> flux() {
			return Flux.empty();
		}

		@RateLimited(name = "single", rate = 1, key = "header('X-Api-Key')")
		Single<String> single() {
			return Single.just("");
		}

	}

	static class ByArguments {

		@RateLimited(name = "exchange", rate = 1, key = "clientIp")
		String exchange(ServerWebExchange exchange) {
			return "";
		}

		@RateLimited(name = "request", rate = 1, key = "principal")
		void request(String name, ServerHttpRequest request) {
		}

		@RateLimited(name = "argument", rate = 1, key = "#user")
		void argument(String user) {
		}

		@RateLimited(name = "root", rate = 1, key = "#root.args[0]")
		void root(String user) {
		}

	}

	@Controller
	static class Waiting {

		@RateLimited(name = "plain", rate = 1, mode = RateLimitMode.WAIT, maxWait = "1s")
		String plain() {
			return "";
		}

		@RateLimited(name = "mono", rate = 1, mode = RateLimitMode.WAIT, maxWait = "1s")
		Mono<String> mono() {
			return Mono.empty();
		}

		@RateLimited(name = "rejecting", rate = 1)
		String rejecting() {
			return "";
		}

	}

}
