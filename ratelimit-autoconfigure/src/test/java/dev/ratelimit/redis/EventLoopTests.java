package dev.ratelimit.redis;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.web.OwnReactorResources;
import dev.ratelimit.web.RootLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits in Redis never block an event loop.
 */
@Timeout(180)
class EventLoopTests {

	private static final List<String> REFUSING = List.of("/reject", "/keyed", "/several", "/stage", "/route",
			"/suspend");

	private static final List<String> WAITING = List.of("/wait", "/wait-stage", "/wait-route", "/wait-suspend");

	private final HttpClient client = HttpClient.newHttpClient();

	private BlockingCalls blocking;

	private RedisProcess server;

	private ConfigurableApplicationContext application;

	@BeforeEach
	void watch() {
		this.server = RedisProcess.start();
		this.blocking = BlockingCalls.watch();
	}

	@AfterEach
	void stop() {
		if (this.application != null) {
			this.application.close();
			RootLog.restore();
		}
		if (this.blocking != null) {
			this.blocking.close();
		}
		this.server.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void isNotBlockedByRedis(String client) {
		start(client, "60s");
		callEach();
		assertThat(this.server.command("EXISTS", "ratelimit:suspend", "ratelimit:reject", "ratelimit:route"))
			.isEqualTo(":3");
		assertThat(this.blocking.found()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void isNotBlockedByAServerThatIsAwayNorByItsReturn(String client) throws IOException {
		this.server.kill();
		start(client, "1s");
		callEach();
		this.server.launch();
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
		while (this.server.text("GET", "ratelimit:reject").isEmpty()) {
			assertThat(System.nanoTime() - deadline).isNegative();
			get("/reject").join();
		}
		callEach();
		assertThat(this.blocking.found()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void isNotBlockedByAServerThatDoesNotAnswerInTime(String client) {
		start(client, "100ms");
		get("/keyed").join();
		assertThat(this.server.command("CLIENT", "PAUSE", "600000")).isEqualTo("+OK");
		callEach();
		assertThat(this.blocking.found()).isEmpty();
	}

	@Test
	void isBlockedByAMethodThatCannotButBlock() {
		start("lettuce", "60s");
		assertThat(this.server.command("CLIENT", "PAUSE", "500")).isEqualTo("+OK");
		assertThat(get("/blocking").join()).isEqualTo(200);
		assertThat(this.blocking.found()).isNotEmpty()
			.allSatisfy((call) -> assertThat(call).contains("park", "webflux-http", "RateLimitedInterceptor"));
	}

	/**
	 * Calls all endpoints one by one, for what Spring sets up at first use, of which one
	 * event loop may wait for another; then all at once, often enough to be refused or to
	 * wait.
	 */
	private void callEach() {
		Stream.concat(REFUSING.stream(), WAITING.stream())
			.forEach((path) -> IntStream.range(0, 5).forEach((call) -> get(path).join()));
		List<CompletableFuture<Integer>> waiting = WAITING.stream()
			.flatMap((path) -> IntStream.range(0, 4).mapToObj((call) -> get(path)))
			.toList();
		List<List<CompletableFuture<Integer>>> refusing = REFUSING.stream()
			.map((path) -> IntStream.range(0, 8).mapToObj((call) -> get(path)).toList())
			.toList();
		assertThat(waiting).allSatisfy((call) -> assertThat(call.join()).isEqualTo(200));
		assertThat(refusing).allSatisfy(
				(calls) -> assertThat(calls).extracting(CompletableFuture::join).contains(429).isSubsetOf(200, 429));
	}

	private CompletableFuture<Integer> get(String path) {
		String port = this.application.getEnvironment().getProperty("local.server.port");
		return this.client
			.sendAsync(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
				.header("X-Key", "key".repeat(100))
				.build(), BodyHandlers.discarding())
			.thenApply(HttpResponse::statusCode);
	}

	private void start(String client, String timeout) {
		this.application = new SpringApplicationBuilder(Application.class, LimitedEndpoints.class,
				SuspendingEndpoints.class)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run(Stream
				.of("server.port=0", "server.shutdown=immediate", "spring.main.web-application-type=reactive",
						"logging.level.root=warn", "server.netty.max-keep-alive-requests=1", "ratelimit.store=redis",
						"ratelimit.redis.timeout=" + timeout, "spring.data.redis.port=" + this.server.port(),
						"spring.data.redis.client-type=" + client, "ratelimit.buckets.route.rate=1",
						"ratelimit.buckets.route.per=1h", "ratelimit.buckets.route.capacity=3",
						"ratelimit.buckets.wait-route.rate=20", "ratelimit.buckets.wait-route.capacity=1",
						"ratelimit.http.routes[0].path=/route", "ratelimit.http.routes[0].bucket=route",
						"ratelimit.http.routes[1].path=/wait-route", "ratelimit.http.routes[1].bucket=wait-route",
						"ratelimit.http.routes[1].mode=wait", "ratelimit.http.routes[1].max-wait=1m")
				.map("--"::concat)
				.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(OwnReactorResources.class)
	static class Application {

	}

}
