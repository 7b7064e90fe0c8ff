package dev.ratelimit.sample.page;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Tells all open pages, four times a second, what there is to see.
 */
@Component
class LiveFeed {

	private static final long PERIOD_MILLIS = 250;

	private final List<SseEmitter> pages = new CopyOnWriteArrayList<>();

	private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

	private final Gates gates;

	LiveFeed(Gates gates) {
		this.gates = gates;
	}

	void add(Call call) {
		this.calls.add(call);
	}

	SseEmitter open() {
		SseEmitter page = new SseEmitter(0L);
		page.onCompletion(() -> this.pages.remove(page));
		this.pages.add(page);
		return page;
	}

	@Scheduled(fixedRate = PERIOD_MILLIS)
	void tell() {
		Moment moment = new Moment(System.currentTimeMillis(), this.gates.states(), newCalls());
		this.pages.forEach((page) -> tell(page, moment));
	}

	/**
	 * Ends the streams, or a graceful shutdown would wait for them.
	 */
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.pages.forEach(SseEmitter::complete);
	}

	private void tell(SseEmitter page, Moment moment) {
		try {
			page.send(moment, MediaType.APPLICATION_JSON);
		}
		catch (IOException | IllegalStateException ex) {
			this.pages.remove(page);
		}
	}

	private List<Call> newCalls() {
		List<Call> calls = new ArrayList<>();
		for (Call call = this.calls.poll(); call != null; call = this.calls.poll()) {
			calls.add(call);
		}
		return calls;
	}

}
