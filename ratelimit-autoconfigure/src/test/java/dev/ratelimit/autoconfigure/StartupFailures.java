package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Objects;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a user reads when startup ends: the words of the first failure analyzer, in Spring
 * Boot's order, that has any.
 */
final class StartupFailures {

	private static final List<FailureAnalyzer> ANALYZERS = SpringFactoriesLoader.forDefaultResourceLocation()
		.load(FailureAnalyzer.class, FailureHandler.handleMessage((message, failure) -> {
			// Some of Spring Boot's own ask for a bean factory
		}));

	private StartupFailures() {
	}

	static FailureAnalysis analyze(AssertableApplicationContext context) {
		assertThat(context).hasFailed();
		return analyze(Objects.requireNonNull(context.getStartupFailure()));
	}

	static FailureAnalysis analyze(Throwable failure) {
		FailureAnalysis analysis = ANALYZERS.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
		assertThat(analysis).as("analysis of %s", failure).isNotNull();
		assertThat(analysis.getDescription()).isNotBlank();
		assertThat(analysis.getAction()).isNotBlank();
		return analysis;
	}

	static String explain(AssertableApplicationContext context) {
		return text(analyze(context));
	}

	static String explain(Throwable failure) {
		return text(analyze(failure));
	}

	private static String text(FailureAnalysis analysis) {
		return analysis.getDescription() + "\n" + analysis.getAction();
	}

}
