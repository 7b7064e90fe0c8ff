package dev.ratelimit.redis;

import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;

import dev.ratelimit.core.BucketKey;
import dev.ratelimit.core.RateLimiterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Names of the keys under which the buckets of one limit are stored.
 * <p>
 * {@code prefix name} is the unkeyed bucket, {@code prefix name:key} that of a key, and
 * {@code prefix name#hash} that of a key that is long or no valid text. The name is in
 * the form in which names are compared; colons, hashes and percent signs in it are
 * escaped.
 */
final class RedisKeys {

	private static final int MAX_LENGTH = 128;

	private final String unkeyed;

	RedisKeys(String prefix, String limitName) {
		this.unkeyed = prefix + RateLimiterRegistry.canonicalName(limitName)
			.replace("%", "%25")
			.replace(":", "%3A")
			.replace("#", "%23");
	}

	/**
	 * Returns the Redis key of the bucket of a key.
	 */
	String of(@Nullable String key) {
		if (key == null) {
			return this.unkeyed;
		}
		return this.unkeyed + (isPlain(key) ? ":" + key : "#" + BucketKey.hash(key));
	}

	/**
	 * Returns patterns that match the Redis keys of all buckets.
	 */
	String[] patterns() {
		String escaped = this.unkeyed.replaceAll("([\\\\*?\\[\\]^-])", "\\\\$1");
		return new String[] { escaped, escaped + ":*", escaped + "#*" };
	}

	private static boolean isPlain(String key) {
		CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
		return key.length() <= MAX_LENGTH && encoder.canEncode(key);
	}

}
