package dev.ratelimit.sample;

import java.io.IOException;
import java.io.PrintWriter;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.core.TimeSource;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows the {@link Timeline} while it is played.
 */
@RestController
class TimelineController {

	private final TimeSource timeSource;

	TimelineController(TimeSource timeSource) {
		this.timeSource = timeSource;
	}

	@GetMapping("/timeline")
	@RateLimited(name = "timeline", rate = 5, per = "1m")
	public void timeline(HttpServletResponse response) throws IOException, InterruptedException {
		response.setContentType("text/plain;charset=UTF-8");
		PrintWriter writer = response.getWriter();
		new Timeline(this.timeSource, (line) -> {
			writer.println(line);
			writer.flush();
		}).play();
	}

}
