package dev.ratelimit.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Predicate;

import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import org.jspecify.annotations.Nullable;

/**
 * All limits of an application, by name. Names that are equal but for case, dashes and
 * underscores are one limit.
 */
public final class RateLimiterRegistry {

	private static final Logger logger = System.getLogger(RateLimiterRegistry.class.getName());

	private final TimeSource timeSource;

	private final TokenBucketStores stores;

	private final RateLimitListener listener;

	private final @Nullable Duration defaultMaxWait;

	private final Function<String, @Nullable ConfiguredLimit> tunings;

	private final Map<String, LimitDefinition> definitions = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, RateLimiter> limiters = new ConcurrentHashMap<>();

	private boolean closed;

	/**
	 * Creates a registry.
	 * @param timeSource the clock of its limits
	 * @param stores where buckets are kept
	 * @param listener who is told what the limits decide
	 * @param defaultMaxWait the longest wait where nothing else is said; {@code null}: no
	 * bound
	 * @param configured limits that exist for being configured
	 * @param tunings what the configuration says about a limit, by the name under which
	 * code declares it; {@code null}: nothing
	 */
	public RateLimiterRegistry(TimeSource timeSource, TokenBucketStores stores, RateLimitListener listener,
			@Nullable Duration defaultMaxWait, Collection<ConfiguredLimit> configured,
			Function<String, @Nullable ConfiguredLimit> tunings) {
		this.timeSource = timeSource;
		this.stores = stores;
		this.listener = listener;
		this.defaultMaxWait = defaultMaxWait;
		this.tunings = tunings;
		configured
			.forEach((limit) -> this.definitions.put(canonicalName(limit.name()), LimitDefinition.created(limit)));
	}

	/**
	 * Returns a name in the form in which names are compared.
	 * @param name a name
	 * @return the name in lower case, without dashes and underscores
	 */
	public static String canonicalName(String name) {
		return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the limit of a name.
	 * @param name the name
	 * @return the limit
	 * @throws IllegalArgumentException if there is none
	 * @throws RateLimitConfigurationException if it cannot work
	 */
	public RateLimiter get(String name) {
		RateLimiter limiter = find(name);
		if (limiter == null) {
			throw new IllegalArgumentException("There is no rate limit named '%s', only %s%s".formatted(name, names(),
					NearestName.near(name, names()).map("; did you mean '%s'?"::formatted).orElse("")));
		}
		return limiter;
	}

	/**
	 * Returns the limit of a name, if there is one.
	 * @param name the name
	 * @return the limit, or {@code null}
	 * @throws RateLimitConfigurationException if it cannot work
	 */
	public @Nullable RateLimiter find(String name) {
		String canonicalName = canonicalName(name);
		RateLimiter limiter = this.limiters.get(canonicalName);
		return (limiter != null) ? limiter : create(canonicalName);
	}

	/**
	 * Returns the unkeyed bucket of a limit that may be declared only later: the limit is
	 * looked up when the bucket is first used.
	 * @param name name of the limit
	 * @return the bucket, whose methods throw what {@link #get(String)} throws
	 */
	public TokenBucket bucket(String name) {
		return new LimiterTokenBucket(() -> get(name), null);
	}

	/**
	 * Returns all limits that work, in order of their names. Those that cannot are named
	 * by {@link #checkConfigured()} and {@link #checkDeclared()}.
	 * @return the limits that are known at this moment
	 */
	public List<RateLimiter> limiters() {
		List<RateLimiter> limiters = new ArrayList<>();
		for (String name : names()) {
			try {
				limiters.add(get(name));
			}
			catch (RateLimitConfigurationException ex) {
				logger.log(Level.DEBUG, "Rate limit '" + name + "' cannot work", ex);
			}
		}
		return limiters;
	}

	/**
	 * Returns what the calls of a limit do when there are too few tokens, as the
	 * configuration of the limit says, or else the annotations and routes.
	 * @param limiter a limit of this registry
	 * @return its modes; empty where nothing says one, and it is used only in code
	 */
	public synchronized Set<RateLimitMode> modes(RateLimiter limiter) {
		LimitDefinition definition = this.definitions.get(canonicalName(limiter.name()));
		return (definition != null) ? definition.modes() : Set.of();
	}

	/**
	 * Takes note of what calls of a limit do that no annotation declares, such as
	 * requests that a route limits.
	 * @param limiter a limit of this registry
	 * @param mode what they do when there are too few tokens
	 */
	public synchronized void use(RateLimiter limiter, RateLimitMode mode) {
		LimitDefinition definition = this.definitions.get(canonicalName(limiter.name()));
		if (definition != null) {
			definition.useIn(mode);
		}
	}

	/**
	 * Fills all buckets of all limits.
	 */
	public void refillAll() {
		this.limiters.values().forEach(RateLimiter::refill);
	}

	/**
	 * Takes note of what a place in the code says about a limit. A limit in use is
	 * changed if need be.
	 * @param limit what is said
	 * @throws RateLimitConfigurationException if it contradicts what another place says,
	 * or if the limit cannot work
	 */
	public synchronized void declare(DeclaredLimit limit) {
		String canonicalName = canonicalName(limit.name());
		LimitDefinition definition = this.definitions.computeIfAbsent(canonicalName,
				(absent) -> LimitDefinition.tuned(this.tunings.apply(limit.name())));
		RateLimiter limiter = this.limiters.get(canonicalName);
		RateLimiterSettings before = (limiter != null) ? settings(definition) : null;
		if (definition.add(limit) && limiter != null && before != null) {
			apply(limiter, before, settings(definition));
		}
	}

	/**
	 * Puts in force what the configuration now says about a limit. Of that, its rate,
	 * period, capacity and shadow mode change at run time, as by
	 * {@link RateLimiter#change(RateLimit)}; a change made by other means stays where the
	 * configuration says what it said before.
	 * @param limit what is said; nothing happens if there is no such limit
	 * @return whether something else has changed, which takes a restart
	 * @throws RateLimitConfigurationException if it cannot work, and then nothing has
	 * changed
	 */
	public synchronized boolean reconfigure(ConfiguredLimit limit) {
		String canonicalName = canonicalName(limit.name());
		LimitDefinition definition = this.definitions.get(canonicalName);
		RateLimiter limiter = find(limit.name());
		if (definition == null || limiter == null) {
			return false;
		}
		RateLimiterSettings before = settings(definition);
		LimitDefinition changed = definition.reconfigured(limit);
		RateLimiterSettings after = settings(changed);
		this.definitions.put(canonicalName, changed);
		apply(limiter, before, after);
		return !before.withLimit(after.limit()).withShadow(after.shadow()).equals(after);
	}

	private static void apply(RateLimiter limiter, RateLimiterSettings before, RateLimiterSettings after) {
		if (!after.limit().equals(before.limit())) {
			limiter.change(after.limit());
		}
		if (after.shadow() != before.shadow()) {
			limiter.shadow(after.shadow());
		}
	}

	/**
	 * Looks for limits below {@code ratelimit.buckets} that cannot work, taking into
	 * account what code has declared by now.
	 * @return what is wrong; empty if all is well
	 */
	public List<Fault> checkConfigured() {
		return check(LimitDefinition::isCreated);
	}

	/**
	 * Looks for limits that only code declares and that cannot work.
	 * @return what is wrong; empty if all is well
	 */
	public List<Fault> checkDeclared() {
		return check((definition) -> !definition.isCreated());
	}

	private synchronized List<Fault> check(Predicate<LimitDefinition> checked) {
		List<Fault> faults = new ArrayList<>();
		this.definitions.values().stream().filter(checked).map(LimitDefinition::name).sorted().forEach((name) -> {
			try {
				get(name);
			}
			catch (RateLimitConfigurationException ex) {
				faults.addAll(ex.getFaults());
			}
		});
		return faults;
	}

	/**
	 * Releases all calls that wait, with a {@link RateLimitWaitInterruptedException}.
	 * From now on no call waits.
	 */
	public synchronized void close() {
		this.closed = true;
		this.limiters.values().forEach(RateLimiter::close);
	}

	/**
	 * Returns whether code declares a limit, by an annotation.
	 * @param name the name
	 * @return {@code false} if the limit exists only for being configured, or not at all
	 */
	public synchronized boolean isDeclared(String name) {
		LimitDefinition definition = this.definitions.get(canonicalName(name));
		return definition != null && definition.isDeclared();
	}

	private RateLimiterSettings settings(LimitDefinition definition) {
		if (!definition.hasRate()) {
			throw MissingRate.of(definition, this.definitions.values());
		}
		return definition.settings(this.defaultMaxWait, this.stores);
	}

	private List<String> names() {
		return this.definitions.values().stream().map(LimitDefinition::name).sorted().toList();
	}

	private synchronized @Nullable RateLimiter create(String canonicalName) {
		RateLimiter limiter = this.limiters.get(canonicalName);
		LimitDefinition definition = this.definitions.get(canonicalName);
		if (limiter != null || definition == null) {
			return limiter;
		}
		limiter = new RateLimiter(settings(definition), definition.store(this.stores), this.timeSource, this.listener);
		if (this.closed) {
			limiter.close();
		}
		this.limiters.put(canonicalName, limiter);
		return limiter;
	}

}
