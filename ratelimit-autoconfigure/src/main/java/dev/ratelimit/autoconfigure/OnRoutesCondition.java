package dev.ratelimit.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches where anything is set below {@code ratelimit.http.routes}, or may be: some
 * sources of properties cannot list them.
 */
final class OnRoutesCondition extends SpringBootCondition {

	private static final ConfigurationPropertyName ROUTES = ConfigurationPropertyName.of("ratelimit.http.routes");

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Rate limited routes");
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(context.getEnvironment())) {
			if (source.containsDescendantOf(ROUTES) != ConfigurationPropertyState.ABSENT) {
				return ConditionOutcome.match(message.found("property").items(ROUTES));
			}
		}
		return ConditionOutcome.noMatch(message.didNotFind("property").items(ROUTES));
	}

}
