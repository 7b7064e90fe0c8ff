package dev.ratelimit.sample.page;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Calls this application over HTTP, each call on a connection of its own.
 */
@Component
final class Caller {

	private final HttpClient http = HttpClient.newBuilder().version(Version.HTTP_1_1).build();

	private final AtomicLong calls = new AtomicLong();

	private final Environment environment;

	private final LiveFeed feed;

	Caller(Environment environment, LiveFeed feed) {
		this.environment = environment;
		this.feed = feed;
	}

	void send(Burst burst) {
		String port = this.environment.getRequiredProperty("local.server.port");
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://localhost:%s/gates/%s".formatted(port, burst.gate())))
			.build();
		for (int call = 0; call < burst.calls(); call++) {
			send(Call.sent(this.calls.incrementAndGet(), burst), request);
		}
	}

	@SuppressWarnings("FutureReturnValueIgnored") // a failure is an outcome too
	private void send(Call call, HttpRequest request) {
		this.feed.add(call);
		this.http.sendAsync(request, BodyHandlers.ofString())
			.handle((response, failure) -> call.ended(response))
			.thenAccept(this.feed::add);
	}

}
