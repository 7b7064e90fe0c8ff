package dev.ratelimit.autoconfigure;

import java.time.Duration;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.redis.RedisRuntimeHints;
import dev.ratelimit.redis.RedisTokenBucketStore;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * {@link AutoConfiguration Auto-configuration} of the store in Redis, which uses the
 * connections of the application. It connects when the first limit that uses it is set
 * up, in the background.
 */
@AutoConfiguration(before = RateLimitAutoConfiguration.class,
		afterName = { "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
				"org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration" })
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnSingleCandidate(RedisConnectionFactory.class)
@ImportRuntimeHints(RedisRuntimeHints.class)
public final class RateLimitRedisAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RedisTokenBucketStore rateLimitRedisTokenBucketStore(RedisConnectionFactory connectionFactory,
			RateLimitProperties properties, TimeSource timeSource) {
		Duration timeout = properties.getRedis().getTimeout();
		if (timeout.isNegative() || timeout.isZero()) {
			throw new RateLimitConfigurationException(
					"ratelimit.redis.timeout must be more than zero, but was " + timeout,
					"Correct the value, or remove the property for the default.");
		}
		return new RedisTokenBucketStore(connectionFactory, properties.getRedis().getKeyPrefix(), timeout, timeSource);
	}

}
