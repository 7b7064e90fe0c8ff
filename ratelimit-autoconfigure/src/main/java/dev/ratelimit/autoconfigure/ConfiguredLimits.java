package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.autoconfigure.RateLimitProperties.Bucket;
import dev.ratelimit.core.ConfiguredLimit;
import dev.ratelimit.core.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * Turns {@link RateLimitProperties} and environment variables into
 * {@link ConfiguredLimit}s.
 */
final class ConfiguredLimits {

	private final RateLimitProperties properties;

	private final Environment environment;

	private final BucketNames names;

	private final BucketVariables variables;

	ConfiguredLimits(RateLimitProperties properties, Environment environment) {
		UnknownProperties.reject(environment);
		this.properties = properties;
		this.environment = environment;
		this.names = BucketNames.of(environment);
		this.variables = BucketVariables.of(environment);
	}

	/**
	 * Returns the longest wait where neither the limit nor the annotation names one.
	 */
	@Nullable Duration defaultMaxWait() {
		Duration maxWait = this.properties.getMaxWait();
		if (maxWait != null && maxWait.isNegative()) {
			throw new RateLimitConfigurationException("ratelimit.max-wait must be zero or more, but was " + maxWait,
					"Correct the value, or remove the property for the default.");
		}
		return maxWait;
	}

	/**
	 * Returns the limits that exist for being configured.
	 */
	List<ConfiguredLimit> created() {
		List<ConfiguredLimit> limits = new ArrayList<>();
		for (String name : this.names.spelt()) {
			Bucket bucket = this.properties.getBuckets().getOrDefault(name, new Bucket());
			limits.add(limit(name, bind(name, bucket)));
		}
		return limits;
	}

	/**
	 * Returns what the environment says at this moment about a limit, whoever defines it.
	 */
	ConfiguredLimit of(String name) {
		String spelt = this.names.spelt(name);
		if (spelt == null) {
			return limit(name, bind(name, new Bucket()));
		}
		Bucket bucket = Binder.get(this.environment)
			.bind(this.names.pathOf(spelt), Bindable.of(Bucket.class))
			.orElseGet(Bucket::new);
		return limit(spelt, bind(spelt, bucket));
	}

	/**
	 * Returns what environment variables say about a limit that code declares.
	 */
	@Nullable ConfiguredLimit tuning(String name) {
		return this.variables.of(name).isEmpty() ? null : limit(name, bind(name, new Bucket()));
	}

	/**
	 * Adds the environment variables that Spring Boot cannot relate to a name, for they
	 * lack its dots. They give way to what ranks above them.
	 */
	private Bucket bind(String name, Bucket bucket) {
		Map<String, Object> values = this.variables.of(name);
		MapConfigurationPropertySource source = new MapConfigurationPropertySource();
		ConfigurationPropertyName path = BucketNames.path(name);
		values.forEach((property, value) -> {
			if (!this.names.isSetAboveVariables(name, property)) {
				source.put(path.append(property), value);
			}
		});
		Binder binder = new Binder(List.of(source), new PropertySourcesPlaceholdersResolver(this.environment));
		binder.bind(path, Bindable.ofInstance(bucket));
		return bucket;
	}

	private static ConfiguredLimit limit(String name, Bucket bucket) {
		return new ConfiguredLimit(name, BucketNames.path(name).toString(), bucket.getRate(), bucket.getPer(),
				bucket.getCapacity(), bucket.getInitialTokens(), bucket.getMode(), bucket.getMaxWait(),
				bucket.getMaxWaiters(), bucket.getMaxKeys(), bucket.isEnabled(), bucket.isShadow(), keys(bucket),
				bucket.getStore(), bucket.getOnStoreFailure());
	}

	private static Map<String, ConfiguredLimit.Key> keys(Bucket bucket) {
		Map<String, ConfiguredLimit.Key> keys = new LinkedHashMap<>();
		bucket.getKeys()
			.forEach((key, said) -> keys.put(key,
					new ConfiguredLimit.Key(said.isUnlimited(), said.getRate(), said.getPer(), said.getCapacity())));
		return keys;
	}

}
