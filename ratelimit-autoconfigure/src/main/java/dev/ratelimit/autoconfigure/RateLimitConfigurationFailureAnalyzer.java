package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link RateLimitConfigurationException}.
 */
final class RateLimitConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<RateLimitConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, RateLimitConfigurationException cause) {
		List<Fault> faults = cause.getFaults();
		if (faults.size() == 1) {
			return new FailureAnalysis(faults.get(0).problem(), faults.get(0).remedy(), cause);
		}
		return new FailureAnalysis(numbered(faults.stream().map(Fault::problem).toList()),
				numbered(faults.stream().map(Fault::remedy).toList()), cause);
	}

	private static String numbered(List<String> lines) {
		return IntStream.range(0, lines.size())
			.mapToObj((index) -> "%d. %s".formatted(index + 1, lines.get(index)))
			.collect(Collectors.joining(System.lineSeparator()));
	}

}
