package dev.ratelimit.aspect;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.core.RateLimitConfigurationException;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Faults of classes whose limited methods no proxy can intercept, found when a bean of
 * the class is created. Those found before startup looks at the beans go into its report;
 * a bean that is created later, since it is lazy or a prototype, is not made.
 */
final class InterceptionFaults {

	private static final Log logger = LogFactory.getLog(InterceptionFaults.class);

	private final Map<Class<?>, Fault> found = new ConcurrentHashMap<>();

	private volatile @Nullable RateLimitVerification verification;

	/**
	 * Adds a fault.
	 * @throws RateLimitConfigurationException if startup has looked at the beans, and
	 * faults are to end it
	 */
	void add(Class<?> type, Fault fault) {
		if (this.found.putIfAbsent(type, fault) == null && this.verification == RateLimitVerification.WARN) {
			logger.warn(fault.problem() + ". " + fault.remedy());
		}
		if (this.verification == RateLimitVerification.FAIL) {
			throw new RateLimitConfigurationException(List.of(fault));
		}
	}

	/**
	 * Returns the faults that have been found by now, but for those of classes that
	 * startup has seen by itself.
	 * @param verification what becomes of faults from now on
	 */
	List<Fault> verify(Set<Class<?>> seen, RateLimitVerification verification) {
		this.verification = verification;
		return this.found.entrySet()
			.stream()
			.filter((entry) -> !seen.contains(entry.getKey()))
			.map(Map.Entry::getValue)
			.toList();
	}

}
