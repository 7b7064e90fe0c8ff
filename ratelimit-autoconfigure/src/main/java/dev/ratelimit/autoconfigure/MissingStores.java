package dev.ratelimit.autoconfigure;

/**
 * What to do about a store that does not exist.
 */
final class MissingStores {

	private MissingStores() {
	}

	static String remedy(String store) {
		if (store.equals("redis")) {
			return "Add spring-boot-starter-data-redis and set spring.data.redis.*, or declare one RedisConnectionFactory"
					+ " bean (of several, mark one @Primary). To keep buckets in memory, set the property to local.";
		}
		return "Correct the name, or declare a TokenBucketStore bean whose name() it is.";
	}

}
