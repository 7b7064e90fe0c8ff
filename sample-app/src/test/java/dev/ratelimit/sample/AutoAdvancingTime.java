package dev.ratelimit.sample;

import dev.ratelimit.core.ManualTimeSource;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * A clock that every wait moves to its end.
 */
@TestConfiguration(proxyBeanMethods = false)
class AutoAdvancingTime {

	@Bean
	ManualTimeSource timeSource() {
		return ManualTimeSource.autoAdvancing();
	}

}
