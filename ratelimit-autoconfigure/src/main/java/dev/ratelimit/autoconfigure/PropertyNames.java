package dev.ratelimit.autoconfigure;

import java.beans.PropertyDescriptor;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/**
 * Names of properties as written in {@code application.yml}.
 */
final class PropertyNames {

	private PropertyNames() {
	}

	/**
	 * Returns the names of the properties of a type.
	 */
	static List<String> of(Class<?> type) {
		return names(type, (descriptor) -> !descriptor.getName().equals("class"));
	}

	/**
	 * Returns the names of the properties of a type that are single values.
	 */
	static List<String> ofValues(Class<?> type) {
		return names(type, (descriptor) -> descriptor.getWriteMethod() != null);
	}

	/**
	 * Returns the type of a property, or {@code null} if there is none of that name.
	 */
	static @Nullable ResolvableType typeOf(Class<?> type, String name) {
		return Arrays.stream(BeanUtils.getPropertyDescriptors(type))
			.filter((descriptor) -> DataObjectPropertyName.toDashedForm(descriptor.getName()).equals(name))
			.map((descriptor) -> ResolvableType.forMethodReturnType(descriptor.getReadMethod()))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Returns whether a property below {@code ratelimit} belongs to an element of a list.
	 * It stays unbound where another list, of higher precedence, replaces the whole list.
	 */
	static boolean isInsideList(ConfigurationPropertyName name) {
		ResolvableType type = ResolvableType.forClass(RateLimitProperties.class);
		boolean inside = false;
		for (int i = 1; i < name.getNumberOfElements(); i++) {
			boolean isList = List.class.isAssignableFrom(type.toClass());
			ResolvableType next = isList ? type.getGeneric(0) : typeOf(type.toClass(), name.getElement(i, Form.DASHED));
			if (next == null || (isList && !name.isNumericIndex(i))) {
				return false;
			}
			inside |= isList;
			type = next;
		}
		return inside;
	}

	private static List<String> names(Class<?> type, Predicate<PropertyDescriptor> included) {
		return Arrays.stream(BeanUtils.getPropertyDescriptors(type))
			.filter(included)
			.map((descriptor) -> DataObjectPropertyName.toDashedForm(descriptor.getName()))
			.toList();
	}

}
