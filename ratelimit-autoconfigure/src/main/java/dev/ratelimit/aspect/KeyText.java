package dev.ratelimit.aspect;

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
	static @Nullable String of(@Nullable Object key, RateLimitedOperation operation) {
		if (key instanceof String text) {
			return text;
		}
		Object value = (key instanceof Optional<?> optional) ? optional.orElse(null) : key;
		if (value == null) {
			return null;
		}
		if (value.getClass().isArray()) {
			return of(Arrays.asList(ObjectUtils.toObjectArray(value)), operation);
		}
		if (value instanceof Collection<?> elements) {
			return elements.stream().map((element) -> element(element, operation)).collect(Collectors.joining());
		}
		if (value instanceof Map<?, ?> map) {
			return map.entrySet()
				.stream()
				.map((entry) -> element(entry.getKey(), operation) + element(entry.getValue(), operation))
				.sorted()
				.collect(Collectors.joining());
		}
		if (!HAS_TEXT.get(value.getClass())) {
			throw new IllegalStateException(
					"%s gave an object of %s, which has no toString(): each call would have a bucket of its own. Name a property of it."
						.formatted(operation.describe("key", operation.key()), value.getClass().getName()));
		}
		return value.toString();
	}

	private static String element(@Nullable Object value, RateLimitedOperation operation) {
		String text = of(value, operation);
		return (text != null) ? text.length() + ":" + text : "-";
	}

}
