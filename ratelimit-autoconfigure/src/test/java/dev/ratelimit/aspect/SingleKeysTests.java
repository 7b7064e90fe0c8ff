package dev.ratelimit.aspect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

import static dev.ratelimit.aspect.Limits.UNLIMITED;
import static dev.ratelimit.aspect.Limits.available;
import static dev.ratelimit.aspect.Limits.passes;
import static dev.ratelimit.aspect.Limits.refusal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Other limits for single keys, and keys without any.
 */
class SingleKeysTests {

	private final ManualTimeSource time = new ManualTimeSource();

	private final ApplicationContextRunner runner = Limits.runner(this.time).withBean(Api.class);

	@Test
	void givesASingleKeyAnotherLimit() {
		this.runner
			.withPropertyValues("ratelimit.buckets.api.keys.partner.rate=5",
					"ratelimit.buckets.api.keys.partner.capacity=7")
			.run((context) -> {
				Api api = context.getBean(Api.class);
				assertThat(passes(() -> api.call("partner"))).isEqualTo(7);
				assertThat(refusal(() -> api.call("partner")).getLimit())
					.isEqualTo(RateLimit.of(5, Duration.ofSeconds(1), 7));
				assertThat(passes(() -> api.call("alice"))).isEqualTo(2);
				assertThat(passes(() -> api.call(null))).isEqualTo(2);
			});
	}

	@Test
	void takesTheRestOfTheLimitFromTheBucket() {
		this.runner.withPropertyValues("ratelimit.buckets.api.keys.partner.capacity=7").run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(() -> api.call("partner"))).isEqualTo(7);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(passes(() -> api.call("partner"))).isEqualTo(1);
		});
	}

	@Test
	void takesThePeriodFromTheBucket() {
		this.runner
			.withPropertyValues("ratelimit.buckets.api.per=1m", "ratelimit.buckets.api.keys.partner.rate=4",
					"ratelimit.buckets.api.keys.partner.capacity=4")
			.run((context) -> {
				Api api = context.getBean(Api.class);
				assertThat(passes(() -> api.call("partner"))).isEqualTo(4);
				assertThat(refusal(() -> api.call("partner")).getRetryAfter()).isEqualTo(Duration.ofSeconds(15));
			});
	}

	@Test
	void exemptsAnUnlimitedKeyAndTellsTheListener() {
		Exempted exempted = new Exempted();
		this.runner.withBean(RateLimitListener.class, () -> exempted)
			.withPropertyValues("ratelimit.buckets.api.keys[health-check].unlimited=true")
			.run((context) -> {
				Api api = context.getBean(Api.class);
				assertThat(passes(() -> api.call("health-check"))).isEqualTo(UNLIMITED);
				assertThat(exempted.calls).hasSize(UNLIMITED).containsOnly("api health-check 1");
				assertThat(passes(() -> api.call("alice"))).isEqualTo(2);
				assertThat(exempted.calls).hasSize(UNLIMITED);
			});
	}

	@Test
	void makesNoBucketForAnUnlimitedKey() {
		this.runner.withPropertyValues("ratelimit.buckets.api.keys[health-check].unlimited=true").run((context) -> {
			context.getBean(Api.class).call("health-check");
			assertThat(context.getBean(RateLimiterRegistry.class).get("api").keys()).isZero();
		});
	}

	@Test
	void exemptsAnUnlimitedKeyWhateverTheCallCosts() {
		this.runner.withPropertyValues("ratelimit.buckets.priced.keys.vip.unlimited=true").run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(() -> api.priced("vip", 1_000))).isEqualTo(UNLIMITED);
		});
	}

	@Test
	void doesNotLetAnUnlimitedKeyWait() {
		this.runner.withPropertyValues("ratelimit.buckets.waiting.keys.vip.unlimited=true").run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(() -> api.waiting("vip"))).isEqualTo(UNLIMITED);
		});
	}

	@Test
	void neverTakesTheUnkeyedBucketForAnUnlimitedKey() {
		this.runner.withPropertyValues("ratelimit.buckets.api.keys[null].unlimited=true").run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(() -> api.call(null))).isEqualTo(2);
			assertThat(passes(() -> api.call("null"))).isEqualTo(UNLIMITED);
		});
	}

	@Test
	void refusesACallThatCostsMoreThanItsKeyCanHold() {
		this.runner
			.withPropertyValues("ratelimit.buckets.priced.keys.small.rate=1",
					"ratelimit.buckets.priced.keys.small.capacity=1")
			.run((context) -> {
				Api api = context.getBean(Api.class);
				assertThat(refusal(() -> api.priced("small", 2)).getRetryAfter()).isNull();
				api.priced("alice", 2);
			});
	}

	@Test
	void knowsTheLimitOfAKeyInCode() {
		this.runner
			.withPropertyValues("ratelimit.buckets.api.keys.partner.rate=5",
					"ratelimit.buckets.api.keys.partner.capacity=7")
			.run((context) -> {
				assertThat(available(context, "api", "partner")).isEqualTo(7);
				assertThat(context.getBean(RateLimiterRegistry.class).get("api").bucket("partner").limit())
					.isEqualTo(RateLimit.of(5, Duration.ofSeconds(1), 7));
			});
	}

	@ParameterizedTest
	@MethodSource
	void findsTheLimitOfAnUnusualKey(String key) {
		Map<String, Object> properties = Map.of("ratelimit.buckets.api.keys[" + key + "].rate", 5,
				"ratelimit.buckets.api.keys[" + key + "].capacity", 5);
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("file", properties)))
			.run((context) -> {
				Api api = context.getBean(Api.class);
				assertThat(passes(() -> api.call(key))).isEqualTo(5);
				assertThat(passes(() -> api.call(key + "x"))).isEqualTo(2);
			});
	}

	static Stream<String> findsTheLimitOfAnUnusualKey() {
		return Stream.of("Partner-7", "partner_7", "{a}", "a.b.c", "192.0.2.1", "2001:db8::1", "a/b c", "käse-\u65e5",
				"x".repeat(10_000));
	}

	@Test
	void distinguishesSingleKeysByCaseAndDashes() {
		this.runner
			.withPropertyValues("ratelimit.buckets.api.keys[Partner-7].rate=5",
					"ratelimit.buckets.api.keys[Partner-7].capacity=5")
			.run((context) -> {
				Api api = context.getBean(Api.class);
				assertThat(passes(() -> api.call("partner-7"))).isEqualTo(2);
				assertThat(passes(() -> api.call("Partner7"))).isEqualTo(2);
				assertThat(passes(() -> api.call("Partner-7"))).isEqualTo(5);
			});
	}

	private static final class Exempted implements RateLimitListener {

		private final List<String> calls = new ArrayList<>();

		@Override
		public void exempt(RateLimiter limiter, String key, long tokens) {
			this.calls.add(limiter.name() + " " + key + " " + tokens);
		}

	}

	static class Api {

		@RateLimited(name = "api", rate = 1, capacity = 2, key = "#user")
		void call(String user) {
		}

		@RateLimited(name = "priced", rate = 2, key = "#user", tokens = "#cost")
		void priced(String user, int cost) {
		}

		@RateLimited(name = "waiting", rate = 2, key = "#user", mode = RateLimitMode.WAIT)
		void waiting(String user) {
		}

	}

}
