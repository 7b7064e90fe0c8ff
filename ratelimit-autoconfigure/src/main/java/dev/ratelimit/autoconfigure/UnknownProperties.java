package dev.ratelimit.autoconfigure;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Finds properties below {@code ratelimit} that do not exist. Spring Boot's
 * {@code ignoreUnknownFields} would also take those for unknown that have no value.
 */
final class UnknownProperties {

	private UnknownProperties() {
	}

	/**
	 * Ends startup where there are unknown properties. Asked before any bean is created,
	 * for a bucket may be missing only because its key is misspelt. Other mistakes are
	 * left to the binding of {@link RateLimitProperties}.
	 * @throws UnboundConfigurationPropertiesException if there are
	 */
	static void reject(Environment environment) {
		Set<ConfigurationPropertyName> known = new HashSet<>();
		BindHandler handler = new NoUnboundElementsBindHandler(new AbstractBindHandler() {

			@Override
			public <T> Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
				known.add(name);
				return target;
			}

		}, new UnboundElementsSourceFilter());
		try {
			Binder.get(environment).bind("ratelimit", Bindable.of(RateLimitProperties.class), handler);
		}
		catch (BindException ex) {
			if (ex.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
				Set<ConfigurationProperty> unknown = new TreeSet<>(unbound.getUnboundProperties());
				unknown.removeIf((property) -> known.contains(property.getName())
						|| PropertyNames.isInsideList(property.getName()));
				if (!unknown.isEmpty()) {
					throw new UnboundConfigurationPropertiesException(unknown);
				}
			}
		}
	}

}
