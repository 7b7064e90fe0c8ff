package dev.ratelimit.redis;

import java.util.concurrent.TimeoutException;

import dev.ratelimit.core.StageFailure;
import dev.ratelimit.core.UnreadableBucketException;

import org.springframework.data.redis.RedisConnectionFailureException;

/**
 * Failures of the clients in words of their own.
 */
final class RedisFailure {

	private RedisFailure() {
	}

	/**
	 * Returns what a caller is told of a failure.
	 * @param failure what a client failed with
	 * @param key the Redis key that was asked for
	 */
	static RuntimeException of(Throwable failure, String key) {
		Throwable cause = StageFailure.cause(failure);
		if (cause instanceof TimeoutException) {
			return new RedisConnectionFailureException("Redis did not answer within ratelimit.redis.timeout", cause);
		}
		if (ErrorReply.isNoBucket(cause)) {
			return new UnreadableBucketException(
					"the value of Redis key '%s' is not the state of a bucket".formatted(key), cause);
		}
		return (cause instanceof RuntimeException runtime) ? runtime
				: new RedisConnectionFailureException("Redis failed: " + cause, cause);
	}

}
