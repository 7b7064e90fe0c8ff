package dev.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.core.LocalTokenBucketStore;
import dev.ratelimit.core.RateLimitListener;
import dev.ratelimit.core.RateLimiterRegistry;
import dev.ratelimit.core.TimeSource;
import dev.ratelimit.core.TokenBucketStore;
import dev.ratelimit.core.TokenBucketStores;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of the {@link RateLimiterRegistry} and of
 * a {@link dev.ratelimit.core.TokenBucket} bean for every limit below
 * {@code ratelimit.buckets}.
 */
@AutoConfiguration
@EnableConfigurationProperties(RateLimitProperties.class)
@Import(TokenBucketBeansRegistrar.class)
public final class RateLimitAutoConfiguration {

	static final String REGISTRY_BEAN_NAME = "rateLimitRegistry";

	@Bean
	@ConditionalOnMissingBean
	TimeSource rateLimitTimeSource() {
		return TimeSource.system();
	}

	@Bean(name = REGISTRY_BEAN_NAME, destroyMethod = "")
	RateLimiterRegistry rateLimiterRegistry(TimeSource timeSource, RateLimitProperties properties,
			Environment environment, ObjectProvider<RateLimitListener> listeners,
			ObjectProvider<TokenBucketStore> stores) {
		ConfiguredLimits limits = new ConfiguredLimits(properties, environment);
		List<RateLimitListener> ordered = listeners.orderedStream().toList();
		return new RateLimiterRegistry(timeSource, stores(timeSource, properties, stores),
				RateLimitListener.of(ordered), limits.defaultMaxWait(), limits.created(), limits::tuning);
	}

	private static TokenBucketStores stores(TimeSource timeSource, RateLimitProperties properties,
			ObjectProvider<TokenBucketStore> beans) {
		List<TokenBucketStore> stores = new ArrayList<>();
		stores.add(new LocalTokenBucketStore(timeSource));
		beans.orderedStream().forEach(stores::add);
		return new TokenBucketStores(timeSource, stores, properties.getStore(), MissingStores::remedy)
			.checkDefault("ratelimit.store");
	}

	@Bean
	static LiveConfiguration rateLimitLiveConfiguration(Environment environment,
			ObjectProvider<RateLimiterRegistry> registry) {
		return new LiveConfiguration(environment, registry::getObject);
	}

	/**
	 * Releases waiting calls when this context closes: by the time beans are destroyed, a
	 * graceful shutdown has already waited for them.
	 */
	@Bean
	ApplicationListener<ContextClosedEvent> rateLimitWaitersReleaser(RateLimiterRegistry registry,
			ApplicationContext context) {
		return (event) -> {
			if (event.getApplicationContext() == context) {
				registry.close();
			}
		};
	}

}
