package dev.ratelimit.autoconfigure;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimiterRegistry;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The names below {@code ratelimit.buckets} as files, arguments and system properties
 * spell them.
 */
final class BucketNames {

	private static final ConfigurationPropertyName BUCKETS = ConfigurationPropertyName.of("ratelimit.buckets");

	private final Map<String, String> spelt = new LinkedHashMap<>();

	private final Set<String> aboveVariables = new HashSet<>();

	private BucketNames() {
	}

	static BucketNames of(Environment environment) {
		BucketNames names = new BucketNames();
		boolean above = true;
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource) {
				above = false;
			}
			else if (source instanceof IterableConfigurationPropertySource iterable) {
				names.addAll(iterable, above);
			}
		}
		return names;
	}

	static ConfigurationPropertyName path(String name) {
		boolean plain = ConfigurationPropertyName.isValid(name) && !name.contains(".");
		return BUCKETS.append(plain ? name : "[" + name + "]");
	}

	/**
	 * Returns the names of the limits that the configuration creates.
	 */
	List<String> spelt() {
		return List.copyOf(this.spelt.values());
	}

	/**
	 * Returns whether a property is set by a source that ranks above environment
	 * variables.
	 */
	boolean isSetAboveVariables(String name, String property) {
		return this.aboveVariables.contains(canonicalPath(name, property));
	}

	private static String canonicalPath(String name, String property) {
		return RateLimiterRegistry.canonicalName(name) + "." + RateLimiterRegistry.canonicalName(property);
	}

	private void addAll(IterableConfigurationPropertySource source, boolean aboveVariables) {
		for (ConfigurationPropertyName property : source) {
			if (BUCKETS.isAncestorOf(property)) {
				String name = property.getElement(BUCKETS.getNumberOfElements(), Form.ORIGINAL);
				add(name);
				if (aboveVariables) {
					this.aboveVariables.add(canonicalPath(name, property.getLastElement(Form.UNIFORM)));
				}
			}
		}
	}

	private void add(String name) {
		String canonicalName = RateLimiterRegistry.canonicalName(name);
		if (canonicalName.isBlank()) {
			throw new RateLimitConfigurationException("%s has no name".formatted(path(name)),
					"Give the rate limit a name with letters or digits.");
		}
		String other = this.spelt.putIfAbsent(canonicalName, name);
		if (other != null && !other.equals(name)) {
			throw new RateLimitConfigurationException(
					"%s and %s are one rate limit, for case, dashes and underscores in its name do not count"
						.formatted(path(other), path(name)),
					"Spell the name in one way.");
		}
	}

}
