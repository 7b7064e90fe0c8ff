package dev.ratelimit.web.servlet;

import java.io.IOException;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Fails requests in circumstances that change how a response is written.
 */
@RestController
class SpecialController {

	private static final byte[] MORE_THAN_A_BUFFER = new byte[64 * 1024];

	@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	String events() {
		throw Failure.EXCEEDED.exception;
	}

	@GetMapping("/emitter")
	SseEmitter emitter() {
		SseEmitter emitter = new SseEmitter();
		emitter.completeWithError(Failure.EXCEEDED.exception);
		return emitter;
	}

	@CrossOrigin("https://shop.example")
	@GetMapping("/cross-origin")
	String crossOrigin() {
		throw Failure.EXCEEDED.exception;
	}

	@GetMapping("/download")
	ResponseEntity<StreamingResponseBody> download() {
		return ResponseEntity.ok()
			.header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=report.csv")
			.header(HttpHeaders.CONTENT_ENCODING, "gzip")
			.header(HttpHeaders.CACHE_CONTROL, "max-age=60")
			.contentType(MediaType.parseMediaType("text/csv;charset=UTF-16"))
			.contentLength(1_000_000)
			.eTag("v1")
			.body((output) -> {
				output.write(1);
				throw Failure.EXCEEDED.exception;
			});
	}

	@GetMapping("/begun")
	StreamingResponseBody begun() {
		return (output) -> {
			output.write(MORE_THAN_A_BUFFER);
			output.flush();
			throw Failure.EXCEEDED.exception;
		};
	}

	@GetMapping("/cookies")
	void cookies(HttpServletResponse response) {
		response.addCookie(new Cookie("a", "1"));
		response.addCookie(new Cookie("b", "2"));
		throw Failure.EXCEEDED.exception;
	}

	@GetMapping("/writer")
	void writer(HttpServletResponse response) throws IOException {
		response.getWriter().write("half");
		throw Failure.EXCEEDED.exception;
	}

	@GetMapping("/other")
	String other() {
		throw new IllegalStateException(Failure.EXCEEDED.exception);
	}

}
