package dev.ratelimit.expression;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * Keys as text. The elements of a list, an array or a map are told apart, whatever they
 * hold.
 */
final class KeyText {

	private static final ClassValue<Boolean> HAS_TEXT = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			try {
				return type.getMethod("toString").getDeclaringClass() != Object.class;
			}
			catch (NoSuchMethodException ex) {
				return false;
			}
		}

	};

	private KeyText() {
	}

	/**
	 * Returns the text of a key.
	 * @throws IllegalStateException if each object of its kind has a text of its own, so
	 * that each call would have a bucket of its own
	 */
	static @Nullable String of(@Nullable Object key, String description) {
		if (key instanceof String text) {
			return text;
		}
		Object value = (key instanceof Optional<?> optional) ? optional.orElse(null) : key;
		if (value == null) {
			return null;
		}
		if (value.getClass().isArray()) {
			return of(Arrays.asList(ObjectUtils.toObjectArray(value)), description);
		}
		if (value instanceof Collection<?> elements) {
			return elements.stream().map((element) -> element(element, description)).collect(Collectors.joining());
		}
		if (value instanceof Map<?, ?> map) {
			return map.entrySet()
				.stream()
				.map((entry) -> element(entry.getKey(), description) + element(entry.getValue(), description))
				.sorted()
				.collect(Collectors.joining());
		}
		if (!HAS_TEXT.get(value.getClass())) {
			throw new IllegalStateException(
					"%s gave an object of %s, which has no toString(): each call would have a bucket of its own. Name a property of it."
						.formatted(description, value.getClass().getName()));
		}
		return value.toString();
	}

	private static String element(@Nullable Object value, String description) {
		String text = of(value, description);
		return (text != null) ? text.length() + ":" + text : "-";
	}

}
