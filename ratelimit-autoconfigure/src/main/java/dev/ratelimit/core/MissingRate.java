package dev.ratelimit.core;

import java.util.Collection;
import java.util.List;

/**
 * Says of a limit that it has no rate, and which other limit it was perhaps meant to be:
 * one that is declared for one that is only configured, and the other way round.
 */
final class MissingRate {

	private MissingRate() {
	}

	static RateLimitConfigurationException of(LimitDefinition limit, Collection<LimitDefinition> all) {
		String remedy = "Set %s.rate, or write a rate at the annotation: @RateLimited(name = \"%s\", rate = 10)."
			.formatted(limit.path(), limit.name());
		List<String> others = all.stream()
			.filter((other) -> mayBeMeant(limit, other))
			.map(LimitDefinition::name)
			.toList();
		return new RateLimitConfigurationException(
				"The rate limit '%s' of %s has no rate".formatted(limit.name(), limit.places()),
				NearestName.near(limit.name(), others)
					.map((near) -> "Did you mean the rate limit '%s'? Otherwise: %s".formatted(near, remedy))
					.orElse(remedy));
	}

	private static boolean mayBeMeant(LimitDefinition limit, LimitDefinition other) {
		return limit.isDeclared() ? !other.isDeclared() : other.isDeclared();
	}

}
