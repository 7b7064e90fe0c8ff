package dev.ratelimit.sample;

import java.util.Arrays;

import dev.ratelimit.core.TimeSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application with rate limits. The argument {@code --timeline} plays the
 * {@link Timeline} instead.
 */
@SpringBootApplication
public class SampleApplication {

	/**
	 * Starts the application.
	 * @param args command-line arguments
	 * @throws InterruptedException if the thread is interrupted during the timeline
	 */
	public static void main(String[] args) throws InterruptedException {
		if (Arrays.asList(args).contains("--timeline")) {
			new Timeline(TimeSource.system(), System.out::println).play();
		}
		else {
			SpringApplication.run(SampleApplication.class, args);
		}
	}

}
