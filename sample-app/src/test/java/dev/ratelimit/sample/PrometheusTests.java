package dev.ratelimit.sample;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Looks up, in what the running application tells Prometheus, every name in the queries
 * of the README.
 */
@SampleTest
class PrometheusTests {

	private static final Pattern SERIES = Pattern.compile("(ratelimit_\\w+)(?:\\{(\\w+=\"\\w+\")})?");

	private static final Pattern GROUPING = Pattern.compile("by \\(([\\w, ]+)\\)");

	@Autowired
	private SampleClient client;

	@Test
	void exportsEveryNameThatTheQueriesUse() throws Exception {
		List<String> samples = this.client.get("/actuator/prometheus").body().lines().toList();
		assertThat(queries()).hasSize(3).allSatisfy((query) -> {
			List<String> labels = matches(GROUPING, query).flatMap((by) -> Stream.of(by.group(1).split(", "))).toList();
			assertThat(labels).isNotEmpty();
			List<MatchResult> series = matches(SERIES, query).toList();
			assertThat(series).isNotEmpty();
			assertThat(series)
				.allSatisfy((name) -> assertThat(samples).anyMatch((sample) -> fits(sample, name, labels)));
		});
	}

	@Test
	void asksWhatTheDocumentationExplains() {
		String operations = Readme.read(Readme.PROJECT.resolve("docs/operations.md"));
		assertThat(queries()).allSatisfy((query) -> assertThat(operations).contains("`" + query + "`"));
	}

	private static boolean fits(String sample, MatchResult series, List<String> labels) {
		return sample.startsWith(series.group(1) + "{") && (series.group(2) == null || sample.contains(series.group(2)))
				&& labels.stream().allMatch((label) -> sample.contains(label + "=\""));
	}

	private static List<String> queries() {
		return Readme.load().blocks("promql").flatMap(String::lines).filter((line) -> !line.startsWith("#")).toList();
	}

	private static Stream<MatchResult> matches(Pattern pattern, String text) {
		return pattern.matcher(text).results();
	}

}
