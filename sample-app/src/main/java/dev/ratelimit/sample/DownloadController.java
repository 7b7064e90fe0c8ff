package dev.ratelimit.sample;

import java.io.IOException;

import dev.ratelimit.core.ThrottledOutputStream;
import dev.ratelimit.core.TokenBucket;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A download of limited bandwidth, shared by all who download: one token is one byte.
 */
@RestController
class DownloadController {

	static final int SIZE = 256 * 1024;

	private final TokenBucket bandwidth;

	DownloadController(@Qualifier("download") TokenBucket bandwidth) {
		this.bandwidth = bandwidth;
	}

	@GetMapping("/api/download")
	public void download(HttpServletResponse response) throws IOException {
		response.setContentType(MediaType.APPLICATION_OCTET_STREAM_VALUE);
		response.setContentLength(SIZE);
		new ThrottledOutputStream(response.getOutputStream(), this.bandwidth).write(new byte[SIZE]);
	}

}
