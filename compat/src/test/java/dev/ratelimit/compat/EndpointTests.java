package dev.ratelimit.compat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the actuator endpoint, over real HTTP.
 */
class EndpointTests {

	private static final String ENDPOINT = "/actuator/ratelimits";

	@ParameterizedTest
	@EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
	void showsChangesAndRefillsLimitsOnEitherServer(WebApplicationType type) {
		try (Server server = Server.start(type, LimitedApplication.class,
				"management.endpoints.web.exposure.include=ratelimits", "ratelimit.buckets.orders.rate=10",
				"ratelimit.buckets.orders.capacity=20")) {
			assertThat(json(server.get(ENDPOINT))).extracting("buckets")
				.asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsOnlyKeys("orders");
			assertThat(json(server.get(ENDPOINT + "/orders"))).containsEntry("rate", 10.0)
				.containsEntry("per", "PT1S")
				.containsEntry("capacity", 20);
			assertThat(json(server.get(ENDPOINT + "/orders/alice"))).containsEntry("availableTokens", 20);
			assertThat(json(server.get(ENDPOINT + "/orders/alice/phone"))).containsEntry("availableTokens", 20);
			assertThat(json(server.send("POST", ENDPOINT + "/orders", "{\"rate\": 5}"))).containsEntry("rate", 5.0)
				.containsEntry("per", "PT1S")
				.containsEntry("capacity", 20);
			assertThat(json(server.send("POST", ENDPOINT + "/orders", "{\"per\": \"1m\", \"shadow\": true}")))
				.containsEntry("rate", 5.0)
				.containsEntry("per", "PT1M")
				.containsEntry("shadow", true);
			assertThat(server.send("POST", ENDPOINT + "/orders", "{\"rate\": -1}").statusCode()).isEqualTo(400);
			assertThat(server.send("POST", ENDPOINT + "/nothing", "{\"rate\": 1}").statusCode()).isEqualTo(404);
			for (String path : List.of("/nothing", "/nothing/alice", "/nothing/alice/phone")) {
				HttpResponse<String> response = server.get(ENDPOINT + path);
				assertThat(response.statusCode()).isEqualTo(404);
				assertThat(response.body()).startsWith("{\"message\":\"There is no rate limit named 'nothing'");
			}
			assertThat(server.send("DELETE", ENDPOINT + "/orders", "").statusCode()).isEqualTo(204);
			assertThat(server.send("DELETE", ENDPOINT + "/orders/alice", "").statusCode()).isEqualTo(204);
		}
	}

	private static Map<String, Object> json(HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response::body).isEqualTo(200);
		return JsonParserFactory.getJsonParser().parseMap(response.body());
	}

}
