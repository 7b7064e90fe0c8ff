package dev.ratelimit.web.servlet;

import java.net.http.HttpResponse;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.ratelimit.web.servlet.ExceptionHandlers.ExceptionAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.ExceptionAndOthersAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.ExceptionController;
import dev.ratelimit.web.servlet.ExceptionHandlers.FirstExceptionAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.FirstNamingAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.FirstRuntimeExceptionAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.FirstThrowableAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.HtmlAndTextNamingAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.InterruptionNamingAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.NamingAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.NamingAdviceForOthers;
import dev.ratelimit.web.servlet.ExceptionHandlers.NamingAdviceForThePackage;
import dev.ratelimit.web.servlet.ExceptionHandlers.NamingAndCatchAllAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.NamingAndCatchAllController;
import dev.ratelimit.web.servlet.ExceptionHandlers.NamingController;
import dev.ratelimit.web.servlet.ExceptionHandlers.OrderedNamingAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.RedirectingAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.RethrowingAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.RuntimeExceptionAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.RuntimeExceptionController;
import dev.ratelimit.web.servlet.ExceptionHandlers.ThrowableAdvice;
import dev.ratelimit.web.servlet.ExceptionHandlers.ThrowableController;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for who answers a failure of a limit: the application's exception handlers or the
 * library. Each set-up is an application of its own, asked over HTTP.
 */
class ExceptionHandlerPrecedenceTests {

	private static final List<String> PATHS = List.of("/plain", "/entity", "/callable", "/future", "/dependent-future",
			"/deferred", "/wrapped-deferred", "/streaming", "/completion-exception", "/execution-exception",
			"/undeclared-throwable-exception");

	private static final Map<SetUp, TestServer> servers = new EnumMap<>(SetUp.class);

	@AfterAll
	static void stopServers() {
		servers.values().forEach(TestServer::close);
		servers.clear();
	}

	@ParameterizedTest
	@MethodSource("setUpsWithoutANamingHandler")
	void noCatchAllSwallowsARefusal(SetUp setUp, String path) {
		HttpResponse<String> response = get(setUp, path + "/EXCEEDED");
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(response.headers().firstValue("Retry-After")).hasValue("45");
		assertThat(response.body()).contains("\"violated-policies\":[\"export\"]");
	}

	@ParameterizedTest
	@EnumSource(SetUp.class)
	void noCatchAllSwallowsAnInterruptedWait(SetUp setUp) {
		HttpResponse<String> response = get(setUp, "/plain/INTERRUPTED");
		assertThat(response.statusCode()).isEqualTo(503);
		assertThat(response.body()).contains("\"type\":\"tag:ratelimit.dev,2026:wait-interrupted\"");
	}

	@ParameterizedTest
	@EnumSource(SetUp.class)
	void noCatchAllSwallowsAStoreThatIsDown(SetUp setUp) {
		HttpResponse<String> response = get(setUp, "/completion-exception/UNAVAILABLE");
		assertThat(response.statusCode()).isEqualTo(503);
		assertThat(response.body()).contains("\"type\":\"tag:ratelimit.dev,2026:store-unavailable\"");
	}

	@ParameterizedTest
	@MethodSource("setUpsWithANamingHandler")
	void aHandlerThatNamesTheExceptionWins(SetUp setUp, String path) {
		HttpResponse<String> response = get(setUp, path + "/EXCEEDED");
		assertThat(response.statusCode()).isEqualTo(409);
		assertThat(response.body()).contains("naming");
	}

	@ParameterizedTest
	@CsvSource({ "text/html, text/html, <p>naming", "text/plain, text/plain, naming",
			"'application/json, text/html;q=0.1', text/html, <p>naming" })
	void aHandlerForTheAcceptedTypeWins(String accept, String contentType, String body) {
		HttpResponse<String> response = server(SetUp.NAMING_FOR_HTML_AND_TEXT_AND_CATCH_ALL)
			.get("/completion-exception/EXCEEDED", "Accept", accept);
		assertThat(response.statusCode()).isEqualTo(409);
		assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith(contentType);
		assertThat(response.body()).isEqualTo(body);
	}

	@Test
	void aHandlerForTheTypeThatTheApplicationNegotiatesWins() {
		Map<String, Object> properties = Map.of("spring.mvc.contentnegotiation.favor-parameter", true,
				"spring.mvc.contentnegotiation.media-types.page", "text/html");
		try (TestServer server = TestServer.start(properties, FailingController.class, HtmlAndTextNamingAdvice.class)) {
			assertThat(server.get("/plain/EXCEEDED?format=page", "Accept", "text/plain").body()).isEqualTo("<p>naming");
		}
	}

	@Test
	void aHandlerForAnotherTypeIsNotAsked() {
		assertThat(server(SetUp.NAMING_FOR_HTML_AND_TEXT_AND_CATCH_ALL)
			.get("/plain/EXCEEDED", "Accept", "application/json")
			.statusCode()).isEqualTo(429);
	}

	@Test
	void aHandlerThatNamesTheExceptionWinsWhateverTheClientAccepts() {
		assertThat(server(SetUp.NAMING_IN_ADVICE).get("/plain/EXCEEDED", "Accept", "no-media-type").statusCode())
			.isEqualTo(409);
	}

	@Test
	void aHandlerThatNamesTheExceptionMayReturnAView() {
		try (TestServer server = TestServer.start(FailingController.class, RedirectingAdvice.class)) {
			HttpResponse<String> response = server.get("/plain/EXCEEDED");
			assertThat(response.statusCode()).isEqualTo(302);
			assertThat(response.headers().firstValue("Location").orElseThrow()).endsWith("/sorry");
		}
	}

	@Test
	void aHandlerThatNamesAnInterruptedWaitWinsForThatOnly() {
		try (TestServer server = TestServer.start(FailingController.class, InterruptionNamingAdvice.class)) {
			assertThat(server.get("/plain/INTERRUPTED").statusCode()).isEqualTo(409);
			assertThat(server.get("/plain/EXCEEDED").statusCode()).isEqualTo(429);
		}
	}

	private static Stream<Arguments> setUpsWithANamingHandler() {
		return everyPath(EnumSet.range(SetUp.NAMING_IN_CONTROLLER, SetUp.NAMING_IN_LAST_AND_CATCH_ALL_IN_FIRST_ADVICE));
	}

	private static Stream<Arguments> setUpsWithoutANamingHandler() {
		return everyPath(EnumSet.range(SetUp.NO_HANDLER, SetUp.NAMING_THAT_THROWS_AGAIN));
	}

	private static Stream<Arguments> everyPath(Set<SetUp> setUps) {
		return setUps.stream().flatMap((setUp) -> PATHS.stream().map((path) -> Arguments.of(setUp, path)));
	}

	private static HttpResponse<String> get(SetUp setUp, String path) {
		return server(setUp).get(path);
	}

	private static TestServer server(SetUp setUp) {
		return servers.computeIfAbsent(setUp, (key) -> TestServer.start(key.beans));
	}

	enum SetUp {

		NO_HANDLER(FailingController.class),

		EXCEPTION_IN_CONTROLLER(ExceptionController.class),

		RUNTIME_EXCEPTION_IN_CONTROLLER(RuntimeExceptionController.class),

		THROWABLE_IN_CONTROLLER(ThrowableController.class),

		EXCEPTION_IN_ADVICE(FailingController.class, ExceptionAdvice.class),

		EXCEPTION_AND_OTHERS_IN_ADVICE(FailingController.class, ExceptionAndOthersAdvice.class),

		RUNTIME_EXCEPTION_IN_ADVICE(FailingController.class, RuntimeExceptionAdvice.class),

		THROWABLE_IN_ADVICE(FailingController.class, ThrowableAdvice.class),

		EXCEPTION_IN_FIRST_ADVICE(FailingController.class, FirstExceptionAdvice.class),

		RUNTIME_EXCEPTION_IN_FIRST_ADVICE(FailingController.class, FirstRuntimeExceptionAdvice.class),

		THROWABLE_IN_FIRST_ADVICE(FailingController.class, FirstThrowableAdvice.class),

		NAMING_FOR_OTHER_CONTROLLERS(FailingController.class, NamingAdviceForOthers.class, ExceptionAdvice.class),

		NAMING_THAT_THROWS_AGAIN(FailingController.class, RethrowingAdvice.class, ExceptionAdvice.class),

		NAMING_IN_CONTROLLER(NamingController.class),

		NAMING_IN_ADVICE(FailingController.class, NamingAdvice.class),

		NAMING_IN_ORDERED_ADVICE(FailingController.class, OrderedNamingAdvice.class),

		NAMING_IN_FIRST_ADVICE(FailingController.class, FirstNamingAdvice.class),

		NAMING_FOR_THE_PACKAGE(FailingController.class, NamingAdviceForThePackage.class),

		NAMING_FOR_HTML_AND_TEXT_AND_CATCH_ALL(FailingController.class, HtmlAndTextNamingAdvice.class),

		NAMING_AND_CATCH_ALL_IN_CONTROLLER(NamingAndCatchAllController.class),

		NAMING_AND_CATCH_ALL_IN_ADVICE(FailingController.class, NamingAndCatchAllAdvice.class),

		NAMING_IN_CONTROLLER_AND_CATCH_ALL_IN_ADVICE(NamingController.class, FirstThrowableAdvice.class),

		NAMING_IN_ADVICE_AND_CATCH_ALL_IN_CONTROLLER(ThrowableController.class, NamingAdvice.class),

		NAMING_IN_LAST_AND_CATCH_ALL_IN_FIRST_ADVICE(FailingController.class, NamingAdvice.class,
				FirstThrowableAdvice.class);

		private final Class<?>[] beans;

		SetUp(Class<?>... beans) {
			this.beans = beans;
		}

	}

}
