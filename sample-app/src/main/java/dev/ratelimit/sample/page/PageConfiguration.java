package dev.ratelimit.sample.page;

import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * Lets the {@link LiveFeed} run by the clock.
 */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class PageConfiguration {

}
