package dev.ratelimit.web;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for limits on requests that only the configuration knows of, on either server
 * over real sockets.
 */
class HttpRouteTests {

	private static final HttpApplications plain = routes(HttpApplications.of(PlainController.class));

	private static final HttpApplications secured = routes(HttpApplications.of(PlainController.class))
		.with(HttpServer.TOMCAT, TomcatSecurity.class, SecurityFilterRegistration.class)
		.with(HttpServer.NETTY, NettySecurity.class);

	private static HttpApplications routes(HttpApplications applications) {
		int index = 0;
		for (String route : List.of("path=/items, bucket=items, methods=get", "path=/keyed, bucket=keyed, key=clientIp",
				"path=/users/{user}/**, bucket=users, key=#user",
				"path=/bulk, bucket=bulk, tokens=3, condition=header('X-Bulk') == 'yes'", "path=/both, bucket=wide",
				"path=/bo*, bucket=narrow", "path=/shared, bucket=shared", "path=/patient, bucket=patient, mode=wait",
				"path=/failing, bucket=failing", "path=/mine, bucket=mine, key=principal",
				"path=/login, bucket=login, order=before-security", "path=/annotated, bucket=annotated")) {
			for (String property : route.split(", ")) {
				int equals = property.indexOf('=');
				applications.with("ratelimit.http.routes[%d].%s".formatted(index, property.substring(0, equals)),
						property.substring(equals + 1));
			}
			index++;
		}
		for (String bucket : List.of("items", "keyed", "users", "shared", "patient", "failing", "mine", "login")) {
			limit(applications, bucket, 1);
		}
		limit(applications, "narrow", 1);
		limit(applications, "wide", 5);
		limit(applications, "bulk", 4);
		return applications.with("ratelimit.buckets.annotated.max-waiters", "3");
	}

	private static void limit(HttpApplications applications, String bucket, long capacity) {
		applications.with("ratelimit.buckets.%s.rate".formatted(bucket), "1")
			.with("ratelimit.buckets.%s.capacity".formatted(bucket), String.valueOf(capacity));
	}

	@AfterAll
	static void stop() {
		plain.close();
		secured.close();
	}

	@ParameterizedTest
	@EnumSource
	void aRouteLimitsRequestsWithoutAnyCode(HttpServer server) {
		HttpApplication application = plain.on(server);
		HttpResponse<String> accepted = application.get("/items");
		assertThat(accepted.statusCode()).isEqualTo(200);
		assertThat(accepted.headers().firstValue("RateLimit")).hasValue("\"items\";r=0;t=1");
		HttpResponse<String> refused = application.get("/items");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(refused.headers().firstValue("Cache-Control")).hasValue("no-store");
		assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
		assertThat(refused.headers().firstValue("RateLimit-Policy")).hasValue("\"items\";q=1;w=1");
		assertThat(refused.headers().firstValue("RateLimit")).hasValue("\"items\";r=0;t=1");
		assertThat(refused.body()).contains("\"instance\":\"/items\"", "\"violated-policies\":[\"items\"]");
	}

	@ParameterizedTest
	@EnumSource
	void otherPathsAreNotLimited(HttpServer server) {
		HttpApplication application = plain.on(server);
		for (int i = 0; i < 3; i++) {
			HttpResponse<String> response = application.get("/free");
			assertThat(response.statusCode()).isEqualTo(200);
			assertThat(response.headers().firstValue("RateLimit")).isEmpty();
		}
	}

	@ParameterizedTest
	@EnumSource
	void aLimitOnGetIsOneOnHeadButNotOnPost(HttpServer server) {
		HttpApplication application = plain.on(server);
		assertThat(application.send("POST", "/items").statusCode()).isEqualTo(200);
		assertThat(application.send("HEAD", "/items").statusCode()).isEqualTo(200);
		HttpResponse<String> refused = application.send("HEAD", "/items");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.body()).isEmpty();
		assertThat(application.get("/items").statusCode()).isEqualTo(429);
		assertThat(application.send("POST", "/items").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void aKeyTellsClientsApart(HttpServer server) {
		HttpApplication application = plain.on(server);
		assertThat(application.rawFrom("127.0.0.1", "GET", "/keyed").status()).isEqualTo(200);
		assertThat(application.rawFrom("127.0.0.1", "GET", "/keyed", "X-Forwarded-For: 192.0.2.1").status())
			.isEqualTo(429);
		assertThat(application.rawFrom("127.0.0.2", "GET", "/keyed").status()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void aKeySeesTheVariablesOfThePath(HttpServer server) {
		HttpApplication application = plain.on(server);
		assertThat(application.get("/users/alice/orders").statusCode()).isEqualTo(200);
		assertThat(application.get("/users/%61lice/orders").statusCode()).isEqualTo(429);
		assertThat(application.get("/users/bob/orders").statusCode()).isEqualTo(200);
		assertThat(application.bucket("users", "alice").availableTokens()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void aConditionSaysWhenTheLimitAppliesAndTokensWhatItCosts(HttpServer server) {
		HttpApplication application = plain.on(server);
		assertThat(application.get("/bulk").statusCode()).isEqualTo(200);
		assertThat(application.bucket("bulk").availableTokens()).isEqualTo(4);
		assertThat(application.get("/bulk", "X-Bulk", "yes").statusCode()).isEqualTo(200);
		assertThat(application.bucket("bulk").availableTokens()).isEqualTo(1);
		assertThat(application.get("/bulk", "X-Bulk", "yes").statusCode()).isEqualTo(429);
		assertThat(application.get("/bulk").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void allRoutesOfARequestLetItPassOrNoneDoes(HttpServer server) {
		HttpApplication application = plain.on(server);
		HttpResponse<String> accepted = application.get("/both");
		assertThat(accepted.headers().firstValue("RateLimit-Policy")).hasValue("\"wide\";q=5;w=5, \"narrow\";q=1;w=1");
		HttpResponse<String> refused = application.get("/both");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers().firstValue("RateLimit")).hasValue("\"narrow\";r=0;t=1");
		assertThat(application.bucket("wide").availableTokens()).isEqualTo(4);
	}

	@ParameterizedTest
	@EnumSource
	void aPreflightRequestIsExemptAndARefusalKeepsItsCorsHeaders(HttpServer server) {
		HttpApplication application = plain.on(server);
		for (int i = 0; i < 3; i++) {
			RawResponse preflight = application.raw("OPTIONS", "/shared", "Origin: https://shop.example",
					"Access-Control-Request-Method: GET");
			assertThat(preflight.status()).isEqualTo(200);
		}
		assertThat(application.bucket("shared").availableTokens()).isEqualTo(1);
		assertThat(application.raw("GET", "/shared", "Origin: https://shop.example").status()).isEqualTo(200);
		RawResponse refused = application.raw("GET", "/shared", "Origin: https://shop.example");
		assertThat(refused.status()).isEqualTo(429);
		assertThat(refused.values("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
		assertThat(application.raw("GET", "/shared", "Origin: https://other.example").status()).isEqualTo(403);
	}

	@ParameterizedTest
	@EnumSource
	void aWaitingRouteLetsTheRequestWait(HttpServer server) {
		HttpApplication application = plain.on(server);
		assertThat(application.get("/patient").statusCode()).isEqualTo(200);
		CompletableFuture<HttpResponse<String>> waiting = CompletableFuture
			.supplyAsync(() -> application.get("/patient"));
		awaitPatient(application, 1);
		assertThat(waiting).isNotDone();
		application.time().advance(Duration.ofSeconds(1));
		assertThat(waiting.join().statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void requestsThatWaitLeaveTheServerToOthers(HttpServer server) {
		HttpApplication application = plain.on(server);
		assertThat(application.get("/patient").statusCode()).isEqualTo(200);
		int many = 4 * Runtime.getRuntime().availableProcessors() + 8;
		ExecutorService clients = Executors.newFixedThreadPool(many);
		List<Future<Integer>> waiting = Stream
			.generate(() -> clients.submit(() -> application.get("/patient").statusCode()))
			.limit(many)
			.toList();
		clients.shutdown();
		awaitPatient(application, many);
		assertThat(application.get("/free").statusCode()).isEqualTo(200);
		application.time().advance(Duration.ofSeconds(many));
		assertThat(waiting).allSatisfy((status) -> assertThat(status.get(30, TimeUnit.SECONDS)).isEqualTo(200));
	}

	private static void awaitPatient(HttpApplication application, int waiters) {
		RateLimiter limiter = application.bean(RateLimiterRegistry.class).get("patient");
		long start = System.nanoTime();
		while (limiter.waiters() < waiters) {
			assertThat(System.nanoTime() - start).as("time to wait").isLessThan(TimeUnit.SECONDS.toNanos(30));
			Thread.onSpinWait();
		}
	}

	@ParameterizedTest
	@EnumSource
	void aRequestThatFailsAndIsDispatchedAgainPaysOnce(HttpServer server) {
		HttpApplication application = plain.on(server);
		assertThat(application.get("/failing").statusCode()).isEqualTo(500);
		assertThat(application.bucket("failing").availableTokens()).isZero();
		assertThat(application.get("/failing").statusCode()).isEqualTo(429);
	}

	@ParameterizedTest
	@EnumSource
	void aRouteMayNameABucketWhoseRateAnAnnotationSays(HttpServer server) {
		HttpApplication application = plain.on(server);
		assertThat(application.get("/annotated").statusCode()).isEqualTo(200);
		assertThat(application.bucket("annotated").availableTokens()).isEqualTo(5);
	}

	@ParameterizedTest
	@EnumSource
	void aDeniedRequestTakesNoTokenAndACallerHasABucket(HttpServer server) {
		HttpApplication application = secured.on(server);
		assertThat(application.raw("GET", "/mine").status()).isEqualTo(401);
		assertThat(application.bucket("mine").availableTokens()).isEqualTo(1);
		assertThat(application.raw("GET", "/mine", basic("alice")).status()).isEqualTo(200);
		assertThat(application.raw("GET", "/mine", basic("alice")).status()).isEqualTo(429);
		assertThat(application.raw("GET", "/mine", basic("bob")).status()).isEqualTo(200);
		assertThat(application.bucket("mine").availableTokens()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource
	void aRouteBeforeSecurityLimitsAttemptsToLogIn(HttpServer server) {
		HttpApplication application = secured.on(server);
		assertThat(application.raw("GET", "/login", "Authorization: Basic YWxpY2U6d3Jvbmc=").status()).isEqualTo(401);
		RawResponse refused = application.raw("GET", "/login", "Authorization: Basic YWxpY2U6d3Jvbmc=");
		assertThat(refused.status()).isEqualTo(429);
		assertThat(refused.values("Content-Type")).containsExactly("application/problem+json");
	}

	@ParameterizedTest
	@EnumSource
	void aHandlerOfTheApplicationThatNamesTheRefusalAnswers(HttpServer server) {
		try (HttpApplication application = routes(HttpApplications.of(PlainController.class, NamingAdvice.class))
			.start(server)) {
			application.get("/items");
			HttpResponse<String> refused = application.get("/items");
			assertThat(refused.statusCode()).isEqualTo(503);
			assertThat(refused.body()).isEqualTo("items is busy");
		}
	}

	@ParameterizedTest
	@EnumSource
	void routesAreOffWhereLimitsAreDisabled(HttpServer server) {
		try (HttpApplication application = routes(HttpApplications.of(PlainController.class))
			.with("ratelimit.enabled", "false")
			.start(server)) {
			for (int i = 0; i < 3; i++) {
				assertThat(application.get("/items").statusCode()).isEqualTo(200);
			}
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			bucket=api | routes[0].path is missing
			path=/a | routes[0].bucket is missing
			path=/a/{, bucket=api | routes[0].path = "/a/{"
			path=/a, bucket=apii | routes[0].bucket = "apii"
			path=/a, bucket=apii | did you mean 'api'?
			path=/a, bucket=api, methods=FETCH | routes[0].methods = "FETCH"
			path=/a, bucket=api, key=#user | routes[0].key = "#user" names #user, but the path has no such variable
			path=/a/{user}, bucket=api, key=user | Did you mean #user?
			path=/a, bucket=api, key=@nobody.name | routes[0].key = "@nobody.name" names the bean 'nobody'
			path=/a, bucket=api, key=method | routes[0].key = "method" names 'method'
			path=/a, bucket=api, key=clientIp == | routes[0].key = "clientIp ==" is not a SpEL expression
			path=/a, bucket=api, tokens=11 | routes[0].tokens = "11" can never pass
			path=/a, bucket=api, tokens=0 | routes[0].tokens = "0" can never pass
			path=/a, bucket=api, tokens= | routes[0].tokens is missing
			path=/a, bucket=api, mode=wait, max-wait=-2s | routes[0].max-wait = "PT-2S" is negative
			path=/a, bucket=api, tokens='x' | routes[0].tokens = "'x'" must be a whole number
			path=/a, bucket=api, condition='x' | routes[0].condition = "'x'" must be true or false
			path=/a, bucket=api, key=principal, order=before-security | asks for the principal, which is not known
			""")
	void aRouteThatCannotWorkEndsStartup(String route, String message) {
		for (HttpServer server : HttpServer.values()) {
			assertThat(report(server, Map.of(0, route))).contains(message);
		}
	}

	@ParameterizedTest
	@EnumSource
	void allFaultsOfRoutesAreInOneReport(HttpServer server) {
		assertThat(
				report(server, Map.of(0, "bucket=apii, methods=FETCH, key=#user", 1, "path=/a, bucket=api, tokens=11")))
			.contains("routes[0].path is missing", "\"apii\"", "\"FETCH\"", "#user", "routes[1].tokens");
	}

	private static String basic(String user) {
		String credentials = Base64.getEncoder()
			.encodeToString((user + ":" + user).getBytes(StandardCharsets.US_ASCII));
		return "Authorization: Basic " + credentials;
	}

	private static String report(HttpServer server, Map<Integer, String> routes) {
		Map<String, String> properties = new LinkedHashMap<>();
		properties.put("ratelimit.buckets.api.rate", "10");
		routes.forEach((index, route) -> {
			for (String property : route.split(", ")) {
				int equals = property.indexOf('=');
				properties.put("ratelimit.http.routes[%d].%s".formatted(index, property.substring(0, equals)),
						property.substring(equals + 1));
			}
		});
		return catchThrowableOfType(RateLimitConfigurationException.class,
				() -> HttpApplication.start(server, properties, PlainController.class).close())
			.getFaults()
			.toString();
	}

	@RestController
	static class PlainController {

		@GetMapping({ "/items", "/free", "/keyed", "/users/{user}/orders", "/bulk", "/both", "/patient", "/mine",
				"/login" })
		Mono<String> get() {
			return Mono.just("ok");
		}

		@PostMapping("/items")
		Mono<String> post() {
			return Mono.just("ok");
		}

		@GetMapping("/shared")
		@CrossOrigin(origins = "https://shop.example")
		Mono<String> shared() {
			return Mono.just("ok");
		}

		@GetMapping("/failing")
		Mono<String> failing() {
			return Mono.error(new IllegalStateException("failing"));
		}

		@GetMapping("/annotated")
		@RateLimited(name = "annotated", rate = 7, tokens = "1")
		Mono<String> annotated() {
			return Mono.just("ok");
		}

	}

	@RestControllerAdvice
	static class NamingAdvice {

		@ExceptionHandler(RateLimitExceededException.class)
		ResponseEntity<String> busy(RateLimitExceededException refusal) {
			return ResponseEntity.status(503).body(refusal.getBucketName() + " is busy");
		}

	}

	private static UserDetails[] users() {
		return List.of("alice", "bob")
			.stream()
			.map((name) -> User.withUsername(name).password("{noop}" + name).roles("USER").build())
			.toArray(UserDetails[]::new);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class TomcatSecurity {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		UserDetailsService userDetailsService() {
			return new InMemoryUserDetailsManager(users());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class NettySecurity {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		MapReactiveUserDetailsService userDetailsService() {
			return new MapReactiveUserDetailsService(users());
		}

	}

}
