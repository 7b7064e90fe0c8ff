package dev.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.autoconfigure.RateLimitProperties.Bucket;
import dev.ratelimit.autoconfigure.RateLimitProperties.Redis;
import dev.ratelimit.core.NearestName;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/**
 * Explains properties below {@code ratelimit} that do not exist, with the nearest that
 * does.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownRateLimitPropertyFailureAnalyzer
		extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	private static final ConfigurationPropertyName RATELIMIT = ConfigurationPropertyName.of("ratelimit");

	private static final int LIMIT_NAME = 2;

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
		List<ConfigurationProperty> unknown = cause.getUnboundProperties()
			.stream()
			.filter((property) -> RATELIMIT.isAncestorOf(property.getName()))
			.toList();
		if (unknown.isEmpty()) {
			return null;
		}
		List<String> problems = new ArrayList<>();
		List<String> remedies = new ArrayList<>();
		for (ConfigurationProperty property : unknown) {
			problems.add("There is no property %s (value '%s', %s)".formatted(property.getName(), property.getValue(),
					(property.getOrigin() != null) ? property.getOrigin() : "origin unknown"));
			remedies.add(remedy(property.getName()));
		}
		return new FailureAnalysis(String.join(System.lineSeparator(), problems),
				String.join(System.lineSeparator(), remedies), cause);
	}

	private static String remedy(ConfigurationPropertyName property) {
		List<String> elements = new ArrayList<>();
		for (int i = 0; i < property.getNumberOfElements(); i++) {
			elements.add(property.getElement(i, Form.ORIGINAL));
		}
		if (elements.get(1).equals("redis") && elements.size() > 2) {
			return remedy("ratelimit.redis", elements.get(2), PropertyNames.of(Redis.class));
		}
		if (!elements.get(1).equals("buckets") || elements.size() <= LIMIT_NAME + 1) {
			return remedy(elements);
		}
		String last = elements.get(elements.size() - 1);
		if (elements.size() > LIMIT_NAME + 2) {
			if (elements.get(LIMIT_NAME + 1).equals("keys")) {
				String key = String.join(".", elements.subList(LIMIT_NAME + 2, elements.size() - 1));
				return "A key with a dot stands in brackets: %s.keys[%s].%s, which in YAML is \"[%s]\": below keys."
					.formatted(BucketNames.path(elements.get(LIMIT_NAME)), key, last, key);
			}
			String name = String.join(".", elements.subList(LIMIT_NAME, elements.size() - 1));
			return "A name with a dot stands in brackets: ratelimit.buckets[%s].%s, which in YAML is \"[%s]\": below buckets."
				.formatted(name, last, name);
		}
		return remedy(BucketNames.path(elements.get(LIMIT_NAME)).toString(), last, PropertyNames.of(Bucket.class));
	}

	/**
	 * Follows the elements down to the first that is not known.
	 */
	private static String remedy(List<String> elements) {
		String parent = elements.get(0);
		ResolvableType type = ResolvableType.forClass(RateLimitProperties.class);
		for (int i = 1; i < elements.size(); i++) {
			String element = elements.get(i);
			ResolvableType next = PropertyNames.typeOf(type.toClass(), element);
			if (next == null) {
				return remedy(parent, type.toClass(), elements.subList(i, elements.size()));
			}
			parent += "." + element;
			if (List.class.isAssignableFrom(next.toClass()) && i + 1 < elements.size()) {
				i++;
				parent += "[" + elements.get(i) + "]";
				next = next.getGeneric(0);
			}
			type = next;
		}
		return "It has no such value.";
	}

	/**
	 * Asks for a nearly equal name of the same kind, else for the same name in another
	 * place, else for the name that is least unlike.
	 */
	private static String remedy(String parent, Class<?> type, List<String> unknown) {
		List<String> known = PropertyNames.of(type);
		boolean isParent = unknown.size() > 1;
		Optional<String> near = NearestName.near(unknown.get(0),
				known.stream()
					.filter((name) -> PropertyPaths.isParent(PropertyNames.typeOf(type, name)) == isParent)
					.toList());
		String elsewhere = PropertyPaths.endingWith(unknown.get(unknown.size() - 1));
		if (near.isPresent() || elsewhere == null) {
			return remedy(parent, near.orElse(unknown.get(0)), known);
		}
		return "Did you mean %s? Known below %s are %s.".formatted(
				isParent ? elsewhere.replace(PropertyPaths.NAME, unknown.get(0)) : elsewhere, parent,
				String.join(", ", known));
	}

	private static String remedy(String parent, String unknown, List<String> known) {
		return "Did you mean %s.%s? Known are %s.".formatted(parent, NearestName.of(unknown, known),
				String.join(", ", known));
	}

}
