package dev.ratelimit.compat;

import dev.ratelimit.core.ManualTimeSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application with whatever Spring Boot configures by itself on this line, and with a
 * clock that a wait moves.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class LimitedApplication {

	static ApplicationContextRunner with(Class<?>... configurations) {
		return new ApplicationContextRunner().withUserConfiguration(LimitedApplication.class)
			.withUserConfiguration(configurations);
	}

	@Bean
	ManualTimeSource timeSource() {
		return ManualTimeSource.autoAdvancing();
	}

}
