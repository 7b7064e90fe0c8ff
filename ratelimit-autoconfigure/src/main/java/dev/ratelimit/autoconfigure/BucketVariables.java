package dev.ratelimit.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Environment variables that set properties of limits. A variable cannot spell a name: it
 * concerns the limits whose names have its letters and digits, and creates none.
 */
final class BucketVariables {

	private static final String PREFIX = "RATELIMIT_BUCKETS_";

	private final Map<String, Map<String, Object>> values = new LinkedHashMap<>();

	private BucketVariables() {
	}

	static BucketVariables of(Environment environment) {
		BucketVariables variables = new BucketVariables();
		if (environment instanceof ConfigurableEnvironment configurable) {
			for (PropertySource<?> source : configurable.getPropertySources()) {
				if (source instanceof SystemEnvironmentPropertySource environmentSource) {
					variables.addAll(environmentSource);
				}
			}
		}
		return variables;
	}

	/**
	 * Returns the values for a limit, by the name of the property.
	 */
	Map<String, Object> of(String limitName) {
		return this.values.getOrDefault(letters(limitName), Map.of());
	}

	private void addAll(SystemEnvironmentPropertySource source) {
		for (String variable : source.getPropertyNames()) {
			String upper = variable.toUpperCase(Locale.ROOT);
			Object value = source.getProperty(variable);
			if (upper.startsWith(PREFIX) && value != null) {
				add(upper.substring(PREFIX.length()), value);
			}
		}
	}

	private void add(String variable, Object value) {
		for (String property : PropertyNames.ofValues(RateLimitProperties.Bucket.class)) {
			String upper = property.toUpperCase(Locale.ROOT);
			add(variable, "_" + upper.replace("-", ""), property, value);
			add(variable, "_" + upper.replace("-", "_"), property, value);
		}
	}

	private void add(String variable, String suffix, String property, Object value) {
		if (variable.endsWith(suffix)) {
			String limitName = variable.substring(0, variable.length() - suffix.length());
			this.values.computeIfAbsent(letters(limitName), (absent) -> new LinkedHashMap<>())
				.putIfAbsent(property, value);
		}
	}

	private static String letters(String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
	}

}
