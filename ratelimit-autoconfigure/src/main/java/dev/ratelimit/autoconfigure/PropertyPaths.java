package dev.ratelimit.autoconfigure;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * The paths of all properties below {@code ratelimit}, with {@code <name>} for what users
 * name.
 */
final class PropertyPaths {

	static final String NAME = "<name>";

	private PropertyPaths() {
	}

	/**
	 * Returns the shortest path that ends with an element, or {@code null} if there is
	 * none.
	 */
	static @Nullable String endingWith(String element) {
		return below("ratelimit", ResolvableType.forClass(RateLimitProperties.class))
			.filter((path) -> path.endsWith("." + element))
			.min(Comparator.comparingInt(String::length))
			.orElse(null);
	}

	/**
	 * Returns whether a property has properties of its own.
	 */
	static boolean isParent(@Nullable ResolvableType type) {
		return type != null && (Map.class.isAssignableFrom(type.toClass()) || isOwn(type) || isOwn(type.getGeneric(0)));
	}

	private static Stream<String> below(String path, ResolvableType type) {
		if (Map.class.isAssignableFrom(type.toClass())) {
			return below(path + "." + NAME, type.getGeneric(1));
		}
		if (List.class.isAssignableFrom(type.toClass()) && isOwn(type.getGeneric(0))) {
			return below(path + "[0]", type.getGeneric(0));
		}
		if (!isOwn(type)) {
			return Stream.of(path);
		}
		return PropertyNames.of(type.toClass()).stream().flatMap((name) -> {
			ResolvableType next = PropertyNames.typeOf(type.toClass(), name);
			return (next != null) ? below(path + "." + name, next) : Stream.of();
		});
	}

	private static boolean isOwn(ResolvableType type) {
		return type.toClass().getPackage() == RateLimitProperties.class.getPackage();
	}

}
