package dev.ratelimit.aspect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.ratelimit.aspect.Limits.UNLIMITED;
import static dev.ratelimit.aspect.Limits.available;
import static dev.ratelimit.aspect.Limits.passes;
import static dev.ratelimit.aspect.Limits.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * When a limit applies.
 */
class ConditionTests {

	private final ApplicationContextRunner runner = Limits.runner().withBean(Api.class);

	@Test
	void appliesWhereTheConditionIsTrue() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(() -> api.large(101))).isEqualTo(2);
		});
	}

	@Test
	void letsACallByWhereTheConditionIsFalse() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(() -> api.large(100))).isEqualTo(UNLIMITED);
			assertThat(passes(() -> api.large(101))).isEqualTo(2);
			assertThat(passes(() -> api.large(100))).isEqualTo(UNLIMITED);
		});
	}

	@Test
	void doesNotCountACallThatItLetsBy() {
		List<String> told = new ArrayList<>();
		this.runner.withBean(RateLimitListener.class, () -> new RateLimitListener() {

			@Override
			public void allowed(RateLimiter limiter, String key, long tokens) {
				told.add(limiter.name());
			}

			@Override
			public void exempt(RateLimiter limiter, String key, long tokens) {
				told.add(limiter.name());
			}

		}).run((context) -> {
			context.getBean(Api.class).large(100);
			assertThat(told).isEmpty();
			assertThat(available(context, "large")).isEqualTo(2);
			context.getBean(Api.class).large(101);
			assertThat(told).containsExactly("large");
		});
	}

	@Test
	void doesNotReadKeyAndTokensOfACallThatItLetsBy() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			api.guarded(null);
			assertThat(context.getBean(RateLimiterRegistry.class).get("guarded").keys()).isZero();
			api.guarded("ab");
			assertThat(available(context, "guarded", "ab")).isEqualTo(1);
		});
	}

	@Test
	void readsAPlainArgument() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThat(passes(() -> api.flagged(false))).isEqualTo(UNLIMITED);
			assertThat(passes(() -> api.flagged(true))).isEqualTo(2);
		});
	}

	@Test
	void failsACallWhoseConditionIsNull() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThatThrownBy(() -> api.flagged(null)).isNotInstanceOf(RateLimitExceededException.class)
				.hasMessageContainingAll("condition", "#limited", Api.class.getName() + ".flagged(Boolean)", "null");
			assertThat(available(context, "flagged")).isEqualTo(2);
		});
	}

	@Test
	void failsACallWhoseConditionIsNoTruthValue() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThatThrownBy(() -> api.confused("maybe")).isNotInstanceOf(RateLimitExceededException.class)
				.hasMessageContainingAll("condition", Api.class.getName() + ".confused(String)", "maybe");
			assertThat(available(context, "confused")).isEqualTo(2);
		});
	}

	@Test
	void takesNothingOfOtherLimitsWhereAConditionFails() {
		this.runner.run((context) -> {
			Api api = context.getBean(Api.class);
			assertThatThrownBy(() -> api.second(null)).isNotInstanceOf(RateLimitExceededException.class);
			assertThat(available(context, "first")).isEqualTo(2);
		});
	}

	@Test
	void givesEveryPlanItsLimit() {
		this.runner.withBean("plans", Plans.class, () -> new Plans(Map.of("alice", "gold", "bob", "silver")))
			.withBean(Search.class)
			.run((context) -> {
				Search search = context.getBean(Search.class);
				assertThat(passes(() -> search.find("alice", "spring"))).isEqualTo(5);
				assertThat(passes(() -> search.find("bob", "spring"))).isEqualTo(3);
				assertThat(passes(() -> search.find("carol", "spring"))).isEqualTo(1);
				assertThat(refusal(() -> search.find("alice", "spring")).getBucketName()).isEqualTo("gold");
				assertThat(refusal(() -> search.find("bob", "spring")).getBucketName()).isEqualTo("silver");
				assertThat(refusal(() -> search.find("carol", "spring")).getBucketName()).isEqualTo("free");
			});
	}

	@Test
	void tunesAPlanByProperties() {
		this.runner.withBean("plans", Plans.class, () -> new Plans(Map.of("alice", "gold")))
			.withBean(Search.class)
			.withPropertyValues("ratelimit.buckets.gold.rate=9", "ratelimit.buckets.gold.capacity=9")
			.run((context) -> assertThat(passes(() -> context.getBean(Search.class).find("alice", "spring")))
				.isEqualTo(9));
	}

	static class Api {

		@RateLimited(name = "large", rate = 2, condition = "#size > 100")
		void large(int size) {
		}

		@RateLimited(name = "flagged", rate = 2, condition = "#limited")
		void flagged(Boolean limited) {
		}

		@RateLimited(name = "confused", rate = 2, condition = "#answer")
		void confused(String answer) {
		}

		@RateLimited(name = "guarded", rate = 3, condition = "#name != null", key = "#name.toLowerCase()",
				tokens = "#name.length()")
		void guarded(String name) {
		}

		@RateLimited(name = "first", rate = 2)
		@RateLimited(name = "second", rate = 2, condition = "#limited")
		void second(Boolean limited) {
		}

	}

	record Plans(Map<String, String> byUser) {

		public String of(String user) {
			return this.byUser.getOrDefault(user, "free");
		}

	}

	static class Search {

		@RateLimited(name = "gold", rate = 5, key = "#user", condition = "@plans.of(#user) == 'gold'")
		@RateLimited(name = "silver", rate = 3, key = "#user", condition = "@plans.of(#user) == 'silver'")
		@RateLimited(name = "free", rate = 1, key = "#user", condition = "@plans.of(#user) == 'free'")
		List<String> find(String user, String text) {
			return List.of();
		}

	}

}
