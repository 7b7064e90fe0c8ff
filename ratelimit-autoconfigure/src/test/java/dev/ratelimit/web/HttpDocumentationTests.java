package dev.ratelimit.web;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the table of ten cases in {@code docs/http.md} to what either server answers.
 */
class HttpDocumentationTests {

	private static final Path DOCUMENT = Path.of("../docs/http.md");

	private static final Path CONTROLLER = Path.of("src/test/java/dev/ratelimit/web/ShopController.java");

	private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| [^|]+ \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|");

	private static final Pattern BEFORE = Pattern.compile("after (\\d+) like it(?: and (\\d+) s)?:");

	/**
	 * What a server says of the connection and the moment.
	 */
	private static final List<String> FRAMING = List.of("date", "content-length", "transfer-encoding", "connection",
			"keep-alive");

	private static final Map<Map<String, String>, HttpApplications> applications = new HashMap<>();

	@AfterAll
	static void stop() {
		applications.values().forEach(HttpApplications::close);
		applications.clear();
	}

	@Test
	void thereAreTenCases() throws IOException {
		assertThat(cases()).extracting(Case::number).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	}

	@Test
	void theControllerIsTheOneThatIsAsked() throws IOException {
		String controller = Files.readString(CONTROLLER);
		assertThat(Files.readString(DOCUMENT)).contains(controller.substring(controller.indexOf("@RestController")));
	}

	@ParameterizedTest
	@MethodSource
	void theResponseIsTheOneThatIsWritten(HttpServer server, Case written) throws IOException {
		HttpApplication application = application(written).on(server);
		for (int request = 0; request < written.requestsBefore(); request++) {
			assertThat(written.send(application).statusCode()).isEqualTo(200);
		}
		application.time().advance(written.timeBefore());
		assertThat(Answer.of(written.send(application))).isEqualTo(Answer.of(written.response()));
	}

	private static Stream<Arguments> theResponseIsTheOneThatIsWritten() throws IOException {
		return cases().stream()
			.flatMap((written) -> Stream.of(HttpServer.values()).map((server) -> Arguments.of(server, written)));
	}

	/**
	 * Returns the application for a case, which has the buckets of all cases.
	 */
	private static HttpApplications application(Case written) throws IOException {
		Map<String, String> buckets = new HashMap<>();
		for (Case each : cases()) {
			each.properties(true)
				.forEach((property, value) -> assertThat(buckets.put(property, value)).as(property).isIn(null, value));
		}
		return applications.computeIfAbsent(written.properties(false), (others) -> {
			HttpApplications application = HttpApplications.of(ShopController.class);
			buckets.forEach(application::with);
			others.forEach(application::with);
			return application;
		});
	}

	private static List<Case> cases() throws IOException {
		try (Stream<String> lines = Files.lines(DOCUMENT)) {
			return lines.map(ROW::matcher).filter(Matcher::matches).map(Case::of).toList();
		}
	}

	private record Case(int number, List<String> configuration, List<String> request, List<String> response) {

		private static Case of(Matcher row) {
			return new Case(Integer.parseInt(row.group(1)), lines(row.group(2)), lines(row.group(3)),
					lines(row.group(4)));
		}

		private static List<String> lines(String cell) {
			return Arrays.stream(cell.split("<br>")).map((line) -> line.replaceFirst("^`(.*)`$", "$1")).toList();
		}

		private Map<String, String> properties(boolean ofBuckets) {
			Map<String, String> properties = new TreeMap<>();
			for (String line : this.configuration) {
				if (line.startsWith("ratelimit.buckets.") == ofBuckets) {
					properties.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
				}
			}
			return properties;
		}

		private int requestsBefore() {
			Matcher before = BEFORE.matcher(this.request.get(0));
			return before.matches() ? Integer.parseInt(before.group(1)) : 0;
		}

		private Duration timeBefore() {
			Matcher before = BEFORE.matcher(this.request.get(0));
			boolean later = before.matches() && before.group(2) != null;
			return Duration.ofSeconds(later ? Long.parseLong(before.group(2)) : 0);
		}

		private HttpResponse<String> send(HttpApplication application) {
			List<String> lines = this.request.stream().filter((line) -> !BEFORE.matcher(line).matches()).toList();
			String[] headers = lines.stream()
				.skip(1)
				.flatMap((line) -> Stream.of(line.split(": ", 2)))
				.toArray(String[]::new);
			String[] start = lines.get(0).split(" ");
			return application.send(start[0], start[1], headers);
		}

		@Override
		public String toString() {
			return "case " + this.number;
		}

	}

	private record Answer(String status, Map<String, List<String>> headers, String body) {

		private static Answer of(HttpResponse<String> response) {
			Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
			headers.putAll(response.headers().map());
			headers.keySet().removeAll(FRAMING);
			return new Answer(String.valueOf(response.statusCode()), headers, response.body());
		}

		private static Answer of(List<String> lines) {
			Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
			List<String> body = new ArrayList<>();
			for (String line : lines.subList(1, lines.size())) {
				if (line.matches("[A-Za-z-]+: .*")) {
					String[] header = line.split(": ", 2);
					headers.computeIfAbsent(header[0], (name) -> new ArrayList<>()).add(header[1]);
				}
				else {
					body.add(line);
				}
			}
			return new Answer(lines.get(0), headers, String.join("\n", body));
		}

	}

}
