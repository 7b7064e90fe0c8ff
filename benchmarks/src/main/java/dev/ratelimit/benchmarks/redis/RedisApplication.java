package dev.ratelimit.benchmarks.redis;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * An application with a limit in Redis. A store that does not answer makes calls fail, so
 * that nothing else is measured in its place.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class RedisApplication {

	static final String LIMIT = "benchmark";

	/**
	 * Tokens of a bucket, more than any run takes.
	 */
	static final long CAPACITY = 10_000_000_000L;

	/**
	 * Tokens that a bucket gets in a day, fewer than callers take: it is never full.
	 */
	static final long TOKENS_PER_DAY = 10_000_000;

	static ConfigurableApplicationContext start(int port) {
		String limit = "ratelimit.buckets." + LIMIT;
		return new SpringApplicationBuilder(RedisApplication.class).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.properties("spring.main.banner-mode=off", "logging.level.root=warn", "redis.port=" + port,
					"ratelimit.store=redis", "ratelimit.redis.timeout=10s", limit + ".on-store-failure=deny",
					limit + ".rate=" + TOKENS_PER_DAY, limit + ".per=1d", limit + ".capacity=" + CAPACITY)
			.run();
	}

	@Bean
	LettuceConnectionFactory connectionFactory(@Value("${redis.port}") int port) {
		return new LettuceConnectionFactory(new RedisStandaloneConfiguration(BenchmarkServer.HOST, port));
	}

	@Bean
	StringRedisTemplate template(LettuceConnectionFactory connectionFactory) {
		return new StringRedisTemplate(connectionFactory);
	}

}
