package dev.ratelimit.actuate;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.ManualTimeSource;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitMode;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.SilentStore;
import dev.ratelimit.core.TokenBucketStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint over HTTP.
 */
class RateLimitsEndpointTests {

	private static final RateLimit ORDERS = RateLimit.of(10, Duration.ofSeconds(1), 20);

	private static ActuatorServer server;

	private static RateLimiterRegistry registry;

	@BeforeAll
	static void start() {
		server = ActuatorServer.start(Limits.class, "ratelimit.buckets.orders.rate=10",
				"ratelimit.buckets.orders.capacity=20", "ratelimit.buckets.orders.mode=wait",
				"ratelimit.buckets.orders.keys.vip.rate=50", "ratelimit.buckets.orders.keys.robot.unlimited=true",
				"ratelimit.buckets.code-only.rate=0.5", "ratelimit.buckets.code-only.per=1m",
				"ratelimit.buckets.far.rate=1", "ratelimit.buckets.far.store=silent",
				"ratelimit.buckets.far.on-store-failure=deny", "ratelimit.buckets.routed.rate=1",
				"ratelimit.http.routes[0].path=/slow", "ratelimit.http.routes[0].bucket=routed",
				"ratelimit.http.routes[0].mode=wait", "ratelimit.http.routes[1].path=/fast",
				"ratelimit.http.routes[1].bucket=routed");
		registry = server.context().getBean(RateLimiterRegistry.class);
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@BeforeEach
	void reset() {
		registry.get("orders").change(ORDERS);
		registry.get("orders").shadow(false);
		registry.get("orders").refill();
	}

	@Test
	void listsAllLimitsInTheOrderOfTheirNamesAndNoKeys() {
		registry.get("orders").bucket("alice").tryAcquire();
		HttpResponse<String> response = server.get("");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(buckets(response).keySet()).containsExactly("Limits.method", "code-only", "far", "orders", "routed");
		assertThat(response.body()).doesNotContain("alice", "vip", "robot").isEqualTo(server.get("").body());
	}

	@Test
	void showsWhatALimitIsAndHolds() {
		registry.get("orders").bucket().tryAcquire(3);
		assertThat(json(server.get("/orders"))).containsOnly(Map.entry("rate", 10.0), Map.entry("per", "PT1S"),
				Map.entry("capacity", 20), Map.entry("modes", List.of("WAIT")), Map.entry("store", "local"),
				Map.entry("availableTokens", 17), Map.entry("waiters", 0), Map.entry("keys", keys()),
				Map.entry("shadow", false));
	}

	@Test
	void showsTheModesOfAllPlaces() {
		assertThat(json(server.get("/Limits.method"))).containsEntry("modes", List.of("REJECT"));
		assertThat(json(server.get("/routed"))).containsEntry("modes", List.of("REJECT", "WAIT"));
		assertThat(json(server.get("/code-only"))).containsEntry("modes", List.of()).containsEntry("per", "PT1M");
	}

	@Test
	void findsALimitHoweverItIsSpelt() {
		assertThat(json(server.get("/CODE_ONLY"))).isEqualTo(json(server.get("/code-only")));
	}

	@Test
	void showsTheBucketOfAKeyWithoutCreatingIt() {
		RateLimiter orders = registry.get("orders");
		long before = orders.keys();
		assertThat(json(server.get("/orders/nobody"))).containsOnly(Map.entry("rate", 10.0), Map.entry("per", "PT1S"),
				Map.entry("capacity", 20), Map.entry("unlimited", false), Map.entry("availableTokens", 20));
		server.delete("/orders/nobody");
		assertThat(orders.keys()).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource({ "alice, alice", "a/b/c, a/b/c", "a%20b, a b", "a%2Bb, a+b", "%C3%A9, é", "x.json, x.json",
			"10.0.0.1, 10.0.0.1" })
	void findsTheBucketOfAKeyWhateverItHolds(String path, String key) {
		registry.get("orders").bucket(key).tryAcquire(5);
		assertThat(json(server.get("/orders/" + path))).containsEntry("availableTokens", 15);
		assertThat(server.delete("/orders/" + path).statusCode()).isEqualTo(204);
		assertThat(registry.get("orders").bucket(key).availableTokens()).isEqualTo(20);
	}

	@Test
	void showsTheLimitOfAKeyThatHasItsOwn() {
		assertThat(json(server.get("/orders/vip"))).containsEntry("rate", 50.0).containsEntry("capacity", 50);
		assertThat(json(server.get("/orders/robot"))).containsEntry("unlimited", true);
	}

	@Test
	void changesALimitAtOnceAndKeepsTokens() {
		registry.get("orders").bucket().tryAcquire(15);
		registry.get("orders").bucket("carol").tryAcquire(12);
		HttpResponse<String> response = server.post("/orders", "{\"rate\": 30.5, \"capacity\": 100, \"per\": \"1m\"}");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(json(response)).containsEntry("rate", 30.5)
			.containsEntry("capacity", 100)
			.containsEntry("per", "PT1M")
			.containsEntry("availableTokens", 5);
		assertThat(registry.get("orders").settings().limit()).isEqualTo(RateLimit.of(30.5, Duration.ofMinutes(1), 100));
		assertThat(json(server.get("/orders/carol"))).containsEntry("rate", 30.5)
			.containsEntry("capacity", 100)
			.containsEntry("availableTokens", 8);
	}

	@Test
	void clampsTokensToALowerCapacity() {
		assertThat(json(server.post("/orders", "{\"capacity\": 4}"))).containsEntry("availableTokens", 4);
		assertThat(json(server.post("/orders", "{\"capacity\": 20}"))).containsEntry("availableTokens", 4);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "{\"rate\": 5} | 5.0 | PT1S | 20", "{\"capacity\": 5} | 10.0 | PT1S | 5",
			"{\"per\": \"PT1H\"} | 10.0 | PT1H | 20", "{\"rate\": \"5\"} | 5.0 | PT1S | 20" })
	void leavesWhatIsNotGiven(String body, double rate, Duration per, long capacity) {
		assertThat(server.post("/orders", body).statusCode()).isEqualTo(200);
		assertThat(registry.get("orders").settings().limit()).isEqualTo(RateLimit.of(rate, per, capacity));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "{\"rate\": 0} | rate", "{\"rate\": -1} | rate", "{\"rate\": \"many\"} | many",
					"{\"rate\": \"NaN\"} | rate", "{\"capacity\": 0} | capacity", "{\"capacity\": 1.5} | 1.5",
					"{\"per\": \"60\"} | unit", "{\"per\": 60} | unit", "{\"per\": \"soon\"} | soon",
					"{\"per\": \"0s\"} | per", "{\"per\": \"\"} | per", "{\"shadow\": \"perhaps\"} | shadow",
					"{\"rate\": 99, \"capacity\": 0} | capacity", "{\"rate\": 99, \"shadow\": \"maybe\"} | shadow",
					"{\"shadow\": true, \"rate\": 0} | rate", "{\"rte\": 5} | rate", "{} | Nothing" })
	void refusesBadValuesWithAMessageAndChangesNothing(String body, String inMessage) {
		HttpResponse<String> response = server.post("/orders", body);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(json(response).get("message")).asString().contains(inMessage);
		assertThat(registry.get("orders").settings().limit()).isEqualTo(ORDERS);
		assertThat(registry.get("orders").settings().shadow()).isFalse();
	}

	@Test
	void switchesShadowMode() {
		assertThat(json(server.post("/orders", "{\"shadow\": true}"))).containsEntry("shadow", true)
			.containsEntry("rate", 10.0);
		assertThat(registry.get("orders").settings().shadow()).isTrue();
		assertThat(json(server.post("/orders", "{\"shadow\": false}"))).containsEntry("shadow", false);
	}

	@Test
	void refillsAllBucketsOfALimit() {
		registry.get("orders").bucket().tryAcquire(20);
		registry.get("orders").bucket("alice").tryAcquire(20);
		assertThat(server.delete("/orders").statusCode()).isEqualTo(204);
		assertThat(registry.get("orders").bucket().availableTokens()).isEqualTo(20);
		assertThat(registry.get("orders").bucket("alice").availableTokens()).isEqualTo(20);
	}

	@Test
	void refillsTheBucketOfAKeyAlone() {
		registry.get("orders").bucket().tryAcquire(20);
		registry.get("orders").bucket("alice").tryAcquire(20);
		registry.get("orders").bucket("bob").tryAcquire(20);
		assertThat(server.delete("/orders/alice").statusCode()).isEqualTo(204);
		assertThat(registry.get("orders").bucket("alice").availableTokens()).isEqualTo(20);
		assertThat(registry.get("orders").bucket("bob").availableTokens()).isZero();
		assertThat(registry.get("orders").bucket().availableTokens()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/nothing", "/nothing/alice", "/nothing/a/b" })
	void knowsNoLimitThatIsNotThere(String path) {
		assertThat(List.of(server.get(path), server.delete(path))).allSatisfy((response) -> {
			assertThat(response.statusCode()).isEqualTo(404);
			assertThat(json(response)).containsOnlyKeys("message");
			assertThat(json(response).get("message")).asString().startsWith("There is no rate limit named 'nothing'");
		});
		assertThat(registry.find("nothing")).isNull();
	}

	@Test
	void asksForTheLimitThatWasProbablyMeant() {
		HttpResponse<String> response = server.get("/oders");
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(json(response).get("message")).asString().endsWith("did you mean 'orders'?");
	}

	@Test
	void saysThatAStoreDoesNotAnswer() {
		assertThat(server.get("/far").statusCode()).isEqualTo(200);
		assertThat(List.of(server.get("/far/alice"), server.delete("/far"), server.delete("/far/alice")))
			.allSatisfy((response) -> {
				assertThat(response.statusCode()).isEqualTo(503);
				assertThat(json(response).get("message")).asString().contains("'far'", "store");
			});
	}

	@Test
	void changesNoLimitThatIsNotThere() {
		HttpResponse<String> response = server.post("/nothing", "{\"rate\": 5}");
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(json(response).get("message")).asString().contains("nothing");
	}

	private static int keys() {
		return (int) registry.get("orders").keys();
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> buckets(HttpResponse<String> response) {
		return (Map<String, Object>) json(response).get("buckets");
	}

	private static Map<String, Object> json(HttpResponse<String> response) {
		return JsonParserFactory.getJsonParser().parseMap(response.body());
	}

	@Configuration(proxyBeanMethods = false)
	static class Limits {

		@Bean
		ManualTimeSource timeSource() {
			return new ManualTimeSource();
		}

		@Bean
		TokenBucketStore silentStore() {
			return new SilentStore();
		}

		@RateLimited(rate = 1, mode = RateLimitMode.REJECT)
		void method() {
		}

	}

}
