package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

import dev.ratelimit.core.RateLimitDecision;

/**
 * Writes the fields of a response that tell the client about its limits.
 */
public final class RateLimitHeaders {

	private static final String POLICY = "RateLimit-Policy";

	private static final String LIMIT = "RateLimit";

	private static final String LEGACY_LIMIT = "X-RateLimit-Limit";

	private static final String LEGACY_REMAINING = "X-RateLimit-Remaining";

	private static final String LEGACY_RESET = "X-RateLimit-Reset";

	private static final Comparator<QuotaUnits> NEAREST_TO_EXHAUSTION = Comparator.comparingLong(QuotaUnits::remaining)
		.thenComparing(QuotaUnits::reset, Comparator.reverseOrder());

	private final RateLimitHeadersStyle style;

	/**
	 * Creates a writer.
	 * @param style which fields to write
	 */
	public RateLimitHeaders(RateLimitHeadersStyle style) {
		this.style = style;
	}

	/**
	 * Returns the names of all fields that may be written.
	 * @return the names; none in the style {@link RateLimitHeadersStyle#NONE}
	 */
	public Set<String> names() {
		return switch (this.style) {
			case STANDARD -> Set.of(POLICY, LIMIT);
			case LEGACY -> Set.of(LEGACY_LIMIT, LEGACY_REMAINING, LEGACY_RESET);
			case NONE -> Set.of();
		};
	}

	/**
	 * Returns the fields of a response. What stands for all limits is said of one: the
	 * last that refused, else the one with the fewest tokens left.
	 * @param decisions what each limit decided on the request, at most one for a limit
	 * @return values by name; none without a decision
	 */
	public Map<String, String> of(List<RateLimitDecision> decisions) {
		if (decisions.isEmpty() || this.style == RateLimitHeadersStyle.NONE) {
			return Map.of();
		}
		List<QuotaUnits> quotas = new ArrayList<>(decisions.size());
		for (RateLimitDecision decision : decisions) {
			quotas.add(QuotaUnits.of(decision));
		}
		return (this.style == RateLimitHeadersStyle.LEGACY) ? legacy(nearestToExhaustion(quotas)) : standard(quotas);
	}

	private static Map<String, String> standard(List<QuotaUnits> quotas) {
		StringJoiner policies = new StringJoiner(", ");
		for (QuotaUnits quota : quotas) {
			policies.add(quota.policyItem());
		}
		Map<String, String> fields = new LinkedHashMap<>();
		fields.put(POLICY, policies.toString());
		fields.put(LIMIT, nearestToExhaustion(quotas).limitItem());
		return fields;
	}

	private static Map<String, String> legacy(QuotaUnits quota) {
		Map<String, String> fields = new LinkedHashMap<>();
		fields.put(LEGACY_LIMIT, String.valueOf(quota.quota()));
		fields.put(LEGACY_REMAINING, String.valueOf(quota.remaining()));
		if (quota.mayPass()) {
			fields.put(LEGACY_RESET, String.valueOf(quota.reset()));
		}
		return fields;
	}

	private static QuotaUnits nearestToExhaustion(List<QuotaUnits> quotas) {
		QuotaUnits nearest = quotas.get(0);
		for (QuotaUnits quota : quotas) {
			boolean nearer = nearest.accepted() && NEAREST_TO_EXHAUSTION.compare(quota, nearest) < 0;
			if (!quota.accepted() || nearer) {
				nearest = quota;
			}
		}
		return nearest;
	}

}
