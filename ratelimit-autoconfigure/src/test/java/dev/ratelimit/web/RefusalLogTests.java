package dev.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of the log of an application whose clients are refused.
 */
@ExtendWith(OutputCaptureExtension.class)
class RefusalLogTests {

	@ParameterizedTest
	@EnumSource
	void hasNoLineForARefusal(HttpServer server, CapturedOutput output) {
		Map<String, String> properties = Map.of("logging.level.root", "info", "ratelimit.buckets.routed.rate", "1",
				"ratelimit.http.routes[0].path", "/routed", "ratelimit.http.routes[0].bucket", "routed");
		try (HttpApplication application = HttpApplication.start(server, properties, Controller.class)) {
			assertThat(output).contains("rate limits in store 'local'");
			refuse(application);
			int before = output.length();
			for (int i = 0; i < 5; i++) {
				refuse(application);
			}
			assertThat(output.subSequence(before, output.length())).isEqualTo("");
		}
	}

	private static void refuse(HttpApplication application) {
		for (String path : List.of("/routed", "/plain", "/later", "/reactive")) {
			int status = 0;
			while (status != 429) {
				status = application.get(path).statusCode();
			}
		}
	}

	@RestController
	static class Controller {

		@GetMapping("/plain")
		@RateLimited(name = "plain", rate = 1)
		String plain() {
			return "passed";
		}

		@GetMapping("/later")
		@RateLimited(name = "later", rate = 1)
		CompletionStage<String> later() {
			return CompletableFuture.completedStage("passed");
		}

		@GetMapping("/reactive")
		@RateLimited(name = "reactive", rate = 1)
		Mono<String> reactive() {
			return Mono.just("passed");
		}

	}

}
