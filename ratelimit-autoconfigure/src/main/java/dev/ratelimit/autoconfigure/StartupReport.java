package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.ratelimit.core.LocalTokenBucketStore;
import dev.ratelimit.core.RateLimiter;
import dev.ratelimit.core.RateLimiterRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Logs how many limits there are and where their buckets are kept, and warns where that
 * is probably not what was meant.
 */
final class StartupReport implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(StartupReport.class);

	private final RateLimiterRegistry registry;

	private final ListableBeanFactory beanFactory;

	private final Environment environment;

	private final String connectionType;

	private final boolean enabled;

	/**
	 * Creates a report.
	 * @param enabled whether annotated methods and routes are limited
	 * @param connectionType class name of beans that could share buckets between nodes
	 */
	StartupReport(RateLimiterRegistry registry, boolean enabled, ListableBeanFactory beanFactory,
			Environment environment, String connectionType) {
		this.enabled = enabled;
		this.connectionType = connectionType;
		this.registry = registry;
		this.beanFactory = beanFactory;
		this.environment = environment;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<RateLimiter> limiters = this.registry.limiters();
		Map<String, Long> stores = limiters.stream()
			.collect(Collectors.groupingBy(RateLimiter::store, TreeMap::new, Collectors.counting()));
		logger.info(count(limiters.size()) + places(stores) + (this.enabled ? ""
				: "; since ratelimit.enabled is false, annotated methods and routes are not limited, nor checked"));
		if (stores.containsKey(LocalTokenBucketStore.NAME) && !this.environment.containsProperty("ratelimit.store")
				&& hasRedisConnection()) {
			logger.warn("There is a Redis connection, but buckets are in the memory of this node: several nodes let"
					+ " several times the rate pass. Set ratelimit.store to redis to share the buckets, or to local"
					+ " if this is meant.");
		}
	}

	private static String count(int limits) {
		return (limits == 1) ? "1 rate limit" : limits + " rate limits";
	}

	private static String places(Map<String, Long> stores) {
		return stores.entrySet()
			.stream()
			.map((store) -> (stores.size() == 1) ? " in store '%s'".formatted(store.getKey())
					: "%d in store '%s'".formatted(store.getValue(), store.getKey()))
			.collect(Collectors.joining(", ", (stores.size() > 1) ? ": " : "", ""));
	}

	private boolean hasRedisConnection() {
		ClassLoader classLoader = getClass().getClassLoader();
		return ClassUtils.isPresent(this.connectionType, classLoader) && this.beanFactory
			.getBeanNamesForType(ClassUtils.resolveClassName(this.connectionType, classLoader), true, false).length > 0;
	}

}
