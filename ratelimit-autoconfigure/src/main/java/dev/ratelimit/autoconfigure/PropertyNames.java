package dev.ratelimit.autoconfigure;

import java.beans.PropertyDescriptor;
import java.util.Arrays;
import java.util.List;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

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
		return Arrays.stream(BeanUtils.getPropertyDescriptors(type))
			.map(PropertyDescriptor::getName)
			.filter((name) -> !name.equals("class"))
			.map(DataObjectPropertyName::toDashedForm)
			.toList();
	}

}
