package dev.ratelimit.web.reactive;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for who answers where an application has exception handlers.
 */
@ExtendWith(OutputCaptureExtension.class)
class ExceptionHandlerPrecedenceTests {

	@ParameterizedTest
	@ValueSource(classes = { Handlers.Naming.class, Handlers.OrderedNaming.class, Handlers.NamingForThese.class })
	void aHandlerThatNamesTheExceptionWins(Class<?> advice) {
		try (NettyServer server = NettyServer.start(FailingController.class, advice, Handlers.EarlyCatchAll.class)) {
			for (String path : new String[] { "/plain/EXCEEDED", "/mono/EXCEEDED", "/flux/EXCEEDED",
					"/completion-exception", "/execution-exception" }) {
				HttpResponse<String> response = server.get(path);
				assertThat(response.statusCode()).isEqualTo(402);
				assertThat(response.body()).isEqualTo("naming export");
				assertThat(response.headers().firstValue("RateLimit")).hasValue("\"export\";r=0;t=45");
			}
		}
	}

	@Test
	void aHandlerReceivesAllItsArguments() {
		try (NettyServer server = NettyServer.start(FailingController.class, Handlers.Demanding.class)) {
			HttpResponse<String> response = server.get("/mono/EXCEEDED", "X-Tenant", "acme");
			assertThat(response.statusCode()).isEqualTo(402);
			assertThat(JsonParserFactory.getJsonParser().parseMap(response.body())).containsOnly(
					entry("method", "mono"), entry("path", "/mono/EXCEEDED"), entry("tenant", "acme"),
					entry("exception", "RateLimitExceededException"));
		}
	}

	@Test
	void aHandlerThatFailsLeavesTheAnswerToTheLibrary() {
		try (NettyServer server = NettyServer.start(FailingController.class, Handlers.Rethrowing.class)) {
			ProblemTests.assertProblem(server.get("/mono/EXCEEDED"));
		}
	}

	@Test
	void aHandlerOfAnotherMediaTypeIsPassedBy() {
		try (NettyServer server = NettyServer.start(FailingController.class, Handlers.NamingForXml.class)) {
			ProblemTests.assertProblem(server.get("/mono/EXCEEDED", "Accept", "application/json"));
			HttpResponse<String> xml = server.get("/mono/EXCEEDED", "Accept", "application/xml");
			assertThat(xml.statusCode()).isEqualTo(402);
			assertThat(xml.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/xml");
		}
	}

	@Test
	void aHandlerForOtherControllersIsPassedBy() {
		try (NettyServer server = NettyServer.start(FailingController.class, Handlers.NamingForOthers.class)) {
			ProblemTests.assertProblem(server.get("/mono/EXCEEDED"));
		}
	}

	@Test
	void aHandlerInTheControllerThatNamesTheExceptionWins() {
		try (NettyServer server = NettyServer.start(Handlers.NamingController.class)) {
			assertThat(server.get("/naming").body()).isEqualTo("named in the controller");
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { Handlers.CatchAll.class, Handlers.EarlyCatchAll.class })
	void aCatchAllDoesNotSwallowARefusal(Class<?> advice, CapturedOutput output) {
		try (NettyServer server = NettyServer.start(FailingController.class, ProblemTests.OtherPlaces.class, advice)) {
			ProblemTests.assertProblem(server.get("/plain/EXCEEDED"));
			ProblemTests.assertProblem(server.get("/mono/EXCEEDED"));
			ProblemTests.assertProblem(server.get("/function"));
			ProblemTests.assertProblem(server.get("/late-function"));
			assertThat(server.get("/mono/UNAVAILABLE").statusCode()).isEqualTo(503);
			assertThat(server.get("/other").body()).isEqualTo("caught");
			assertThat(server.get("/foreign").body()).isEqualTo("caught");
			assertThat(output).doesNotContain("answers any exception");
		}
	}

	@Test
	void aFunctionalRouteIsLeftToAHandlerThatNamesTheException() {
		try (NettyServer server = NettyServer.start(ProblemTests.OtherPlaces.class, Handlers.EarlyCatchAll.class,
				Handlers.Naming.class)) {
			assertThat(server.get("/late-function").body()).isEqualTo("naming export");
		}
	}

	@Test
	void anExceptionOfTheApplicationAboutARefusalIsHandledAsEver() {
		try (NettyServer server = NettyServer.start(FailingController.class, Handlers.NamingForeign.class,
				Handlers.Naming.class)) {
			HttpResponse<String> response = server.get("/foreign");
			assertThat(response.statusCode()).isEqualTo(409);
			assertThat(response.body()).isEqualTo("foreign");
		}
	}

	@Test
	void aCatchAllOfTheHighestPrecedenceWinsAndIsWarnedOf(CapturedOutput output) {
		try (NettyServer server = NettyServer.start(FailingController.class, Handlers.FirstCatchAll.class)) {
			assertThat(server.get("/mono/EXCEEDED").body()).isEqualTo("caught");
			assertThat(output).containsOnlyOnce("answers any exception")
				.contains(Handlers.FirstCatchAll.class.getName() + ".handle answers any exception", "@Order");
		}
	}

	@Test
	void aCatchAllInsideTheControllerWinsAndIsWarnedOf(CapturedOutput output) {
		try (NettyServer server = NettyServer.start(Handlers.CatchingController.class,
				Handlers.NamingController.class)) {
			assertThat(server.get("/catching").body()).isEqualTo("caught in the controller");
			assertThat(output).containsOnlyOnce("answers any exception")
				.contains(Handlers.CatchingController.class.getName() + ".handle answers any exception",
						"@ControllerAdvice");
		}
	}

}
