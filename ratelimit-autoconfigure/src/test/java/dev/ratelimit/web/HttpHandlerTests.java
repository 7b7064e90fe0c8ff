package dev.ratelimit.web;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitStoreUnavailableException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for who answers a refusal, the application or the library, on either server over
 * real sockets. Each set-up is an application of its own.
 */
@ExtendWith(OutputCaptureExtension.class)
class HttpHandlerTests {

	private static final List<String> PATHS = List.of("/text", "/mono", "/wrapped");

	private static final Map<SetUp, HttpApplications> applications = new EnumMap<>(SetUp.class);

	@AfterAll
	static void stop() {
		applications.values().forEach(HttpApplications::close);
		applications.clear();
	}

	@ParameterizedTest
	@MethodSource("setUpsWithANamingHandler")
	void aHandlerThatNamesTheExceptionWins(HttpServer server, SetUp setUp, String path) {
		HttpResponse<String> response = secondResponse(server, setUp, path);
		assertThat(response.statusCode()).isEqualTo(409);
		assertThat(response.body()).isEqualTo("named limited");
	}

	@ParameterizedTest
	@MethodSource("setUpsWithACatchAll")
	void aCatchAllDoesNotSwallowARefusal(HttpServer server, SetUp setUp, String path) {
		HttpResponse<String> response = secondResponse(server, setUp, path);
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.headers().allValues("Retry-After")).containsExactly("1");
		assertThat(response.headers().allValues("RateLimit")).containsExactly("\"limited\";r=0;t=1");
	}

	@ParameterizedTest
	@MethodSource("setUpsWithACatchAll")
	void aCatchAllDoesNotSwallowWhatIsNoRefusal(HttpServer server, SetUp setUp) {
		HttpApplication application = on(server, setUp);
		assertThat(application.get("/interrupted").statusCode()).isEqualTo(503);
		assertThat(application.get("/unavailable").statusCode()).isEqualTo(503);
	}

	@ParameterizedTest
	@MethodSource("setUpsWithACatchAll")
	void aCatchAllAnswersForTheRestOfTheApplication(HttpServer server, SetUp setUp) {
		HttpResponse<String> response = on(server, setUp).get("/other");
		assertThat(response.statusCode()).isEqualTo(500);
		assertThat(response.body()).isEqualTo("caught");
	}

	@ParameterizedTest
	@EnumSource(names = { "CATCH_ALL_IN_FIRST_ADVICE", "CATCH_ALL_IN_CONTROLLER" })
	void onMvcNoPlaceLetsACatchAllSwallowARefusal(SetUp setUp) {
		for (String path : PATHS) {
			assertThat(secondResponse(HttpServer.TOMCAT, setUp, path).statusCode()).isEqualTo(429);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "CATCH_ALL_IN_FIRST_ADVICE", "CATCH_ALL_IN_CONTROLLER" })
	void onWebFluxTheseCatchAllsWinAndAreWarnedOf(SetUp setUp, CapturedOutput output) {
		HttpApplications applications = setUp.applications().with("logging.level.dev.ratelimit.web", "warn");
		try (applications) {
			HttpApplication application = applications.on(HttpServer.NETTY);
			application.get("/text");
			HttpResponse<String> response = application.get("/text");
			assertThat(response.statusCode()).isEqualTo(500);
			assertThat(response.body()).isEqualTo("caught");
		}
		assertThat(output.getOut().lines().filter((line) -> line.contains(" WARN "))).singleElement()
			.asString()
			.contains(setUp.beans[0].getSimpleName());
	}

	@Test
	void theOtherSetUpsAreNotWarnedOf(CapturedOutput output) {
		for (SetUp setUp : List.of(SetUp.CATCH_ALL_IN_ORDERED_ADVICE, SetUp.NAMING_IN_CONTROLLER)) {
			try (HttpApplications applications = setUp.applications().with("logging.level.dev.ratelimit.web", "warn")) {
				applications.on(HttpServer.NETTY);
			}
		}
		assertThat(output.getOut().lines().filter((line) -> line.contains(" WARN "))).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void aHandlerOfAnotherFailureIsNotAskedAboutARefusal(HttpServer server) {
		HttpApplication application = on(server, SetUp.NAMING_AN_INTERRUPTED_WAIT);
		assertThat(application.get("/interrupted").statusCode()).isEqualTo(409);
		application.get("/text");
		assertThat(application.get("/text").statusCode()).isEqualTo(429);
	}

	@ParameterizedTest
	@EnumSource
	void aHandlerMayAnswerWithAProblemOfItsOwn(HttpServer server) {
		HttpResponse<String> response = secondResponse(server, SetUp.NAMING_WITH_A_PROBLEM, "/mono");
		assertThat(response.statusCode()).isEqualTo(420);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.body()).contains("\"detail\":\"calm down\"");
	}

	@ParameterizedTest
	@EnumSource
	void aMapperOfTheApplicationReplacesTheStandardOne(HttpServer server) {
		HttpResponse<String> response = secondResponse(server, SetUp.OWN_MAPPER, "/text");
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.headers().allValues("Retry-After")).containsExactly("5");
		assertThat(response.body()).isEqualTo("""
				{"type":"https://shop.example/busy","title":"Busy","status":403,"detail":"limited is busy",\
				"instance":"/text","violated-policies":["secret"]}""");
	}

	private static HttpResponse<String> secondResponse(HttpServer server, SetUp setUp, String path) {
		HttpApplication application = on(server, setUp);
		assertThat(application.get("/mono").body()).isEqualTo("mono");
		return application.get(path);
	}

	private static HttpApplication on(HttpServer server, SetUp setUp) {
		return applications.computeIfAbsent(setUp, SetUp::applications).on(server);
	}

	private static Stream<Arguments> setUpsWithANamingHandler() {
		return Stream
			.of(SetUp.NAMING_IN_CONTROLLER, SetUp.NAMING_IN_ADVICE, SetUp.NAMING_IN_ORDERED_ADVICE,
					SetUp.NAMING_IN_FIRST_ADVICE, SetUp.NAMING_IN_LAST_AND_CATCH_ALL_IN_ORDERED_ADVICE,
					SetUp.NAMING_AND_CATCH_ALL_IN_ADVICE)
			.flatMap(HttpHandlerTests::onBoth);
	}

	private static Stream<Arguments> setUpsWithACatchAll() {
		return Stream
			.of(SetUp.EXCEPTION_IN_ADVICE, SetUp.RUNTIME_EXCEPTION_IN_ADVICE, SetUp.THROWABLE_IN_ADVICE,
					SetUp.CATCH_ALL_IN_ORDERED_ADVICE)
			.flatMap(HttpHandlerTests::onBoth);
	}

	private static Stream<Arguments> onBoth(SetUp setUp) {
		return Stream.of(HttpServer.values())
			.flatMap((server) -> PATHS.stream().map((path) -> Arguments.of(server, setUp, path)));
	}

	enum SetUp {

		NAMING_IN_CONTROLLER(NamingController.class),

		NAMING_IN_ADVICE(PlainController.class, NamingAdvice.class),

		NAMING_IN_ORDERED_ADVICE(PlainController.class, OrderedNamingAdvice.class),

		NAMING_IN_FIRST_ADVICE(PlainController.class, FirstNamingAdvice.class),

		NAMING_IN_LAST_AND_CATCH_ALL_IN_ORDERED_ADVICE(PlainController.class, NamingAdvice.class,
				OrderedThrowableAdvice.class),

		NAMING_AND_CATCH_ALL_IN_ADVICE(PlainController.class, NamingAndCatchAllAdvice.class),

		EXCEPTION_IN_ADVICE(PlainController.class, ExceptionAdvice.class),

		RUNTIME_EXCEPTION_IN_ADVICE(PlainController.class, RuntimeExceptionAdvice.class),

		THROWABLE_IN_ADVICE(PlainController.class, ThrowableAdvice.class),

		CATCH_ALL_IN_ORDERED_ADVICE(PlainController.class, OrderedThrowableAdvice.class),

		CATCH_ALL_IN_FIRST_ADVICE(FirstThrowableAdvice.class, PlainController.class),

		CATCH_ALL_IN_CONTROLLER(CatchAllController.class),

		NAMING_AN_INTERRUPTED_WAIT(PlainController.class, InterruptionAdvice.class),

		NAMING_WITH_A_PROBLEM(PlainController.class, ProblemAdvice.class),

		OWN_MAPPER(PlainController.class, OwnMapper.class);

		private final Class<?>[] beans;

		SetUp(Class<?>... beans) {
			this.beans = beans;
		}

		HttpApplications applications() {
			return HttpApplications.of(this.beans);
		}

	}

	@RestController
	static class PlainController {

		@GetMapping("/text")
		@RateLimited(name = "limited", rate = 1)
		String text() {
			return "text";
		}

		@GetMapping("/mono")
		@RateLimited(name = "limited", rate = 1)
		Mono<String> mono() {
			return Mono.just("mono");
		}

		@GetMapping("/wrapped")
		@RateLimited(name = "limited", rate = 1, fallback = "wrap")
		Mono<String> wrapped() {
			return Mono.just("wrapped");
		}

		Mono<String> wrap(RateLimitExceededException refusal) {
			throw new CompletionException(refusal);
		}

		@GetMapping("/interrupted")
		Mono<String> interrupted() {
			throw new RateLimitWaitInterruptedException("limited", "interrupted");
		}

		@GetMapping("/unavailable")
		Mono<String> unavailable() {
			return Mono.error(new RateLimitStoreUnavailableException("limited", null));
		}

		@GetMapping("/other")
		Mono<String> other() {
			throw new IllegalStateException("other");
		}

	}

	static class NamingController extends PlainController {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.CONFLICT)
		String handle(RateLimitExceededException refusal) {
			return "named " + refusal.getBucketName();
		}

	}

	static class CatchAllController extends PlainController {

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return "caught";
		}

	}

	@RestControllerAdvice
	static class NamingAdvice {

		@ExceptionHandler(RateLimitExceededException.class)
		ResponseEntity<String> handle(RateLimitExceededException refusal) {
			return ResponseEntity.status(409).body("named " + refusal.getBucketName());
		}

	}

	@Order(5)
	static class OrderedNamingAdvice extends NamingAdvice {

	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class FirstNamingAdvice extends NamingAdvice {

	}

	static class NamingAndCatchAllAdvice extends NamingAdvice {

		@ExceptionHandler(Exception.class)
		ResponseEntity<String> handleOthers() {
			return ResponseEntity.status(500).body("caught");
		}

	}

	@RestControllerAdvice
	static class ExceptionAdvice {

		@ExceptionHandler(Exception.class)
		ResponseEntity<String> handle() {
			return ResponseEntity.status(500).body("caught");
		}

	}

	@RestControllerAdvice
	static class RuntimeExceptionAdvice {

		@ExceptionHandler(RuntimeException.class)
		ResponseEntity<String> handle() {
			return ResponseEntity.status(500).body("caught");
		}

	}

	@RestControllerAdvice
	static class ThrowableAdvice {

		@ExceptionHandler(Throwable.class)
		ResponseEntity<String> handle() {
			return ResponseEntity.status(500).body("caught");
		}

	}

	@Order(0)
	static class OrderedThrowableAdvice extends ThrowableAdvice {

	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class FirstThrowableAdvice extends ThrowableAdvice {

	}

	@RestControllerAdvice
	static class InterruptionAdvice {

		@ExceptionHandler(RateLimitWaitInterruptedException.class)
		ResponseEntity<String> handle() {
			return ResponseEntity.status(409).body("interrupted");
		}

	}

	@RestControllerAdvice
	static class ProblemAdvice {

		@ExceptionHandler(RateLimitExceededException.class)
		ResponseEntity<ProblemDetail> handle() {
			ProblemDetail problem = ProblemDetail.forStatus(420);
			problem.setDetail("calm down");
			return ResponseEntity.of(problem).build();
		}

	}

	static class OwnMapper {

		@Bean
		RateLimitProblemMapper mapper() {
			return (failure) -> new RateLimitProblem(403, "https://shop.example/busy", "Busy",
					((RateLimitExceededException) failure).getBucketName() + " is busy", List.of("secret"),
					Duration.ofSeconds(5));
		}

	}

}
