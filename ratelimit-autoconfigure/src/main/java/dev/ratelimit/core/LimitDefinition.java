package dev.ratelimit.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * All that configuration and code say about one limit, put together: for each component
 * the configuration wins, then the code, then the default.
 */
final class LimitDefinition {

	private static final Duration DEFAULT_PER = Duration.ofSeconds(1);

	private final @Nullable ConfiguredLimit configured;

	private final boolean created;

	private final List<DeclaredLimit> declared;

	private final Set<RateLimitMode> modesOfUse;

	private LimitDefinition(@Nullable ConfiguredLimit configured, boolean created, List<DeclaredLimit> declared,
			Set<RateLimitMode> modesOfUse) {
		this.configured = configured;
		this.created = created;
		this.declared = declared;
		this.modesOfUse = modesOfUse;
	}

	/**
	 * Creates the definition of a limit that exists for being configured.
	 */
	static LimitDefinition created(ConfiguredLimit configured) {
		return new LimitDefinition(configured, true, new ArrayList<>(), EnumSet.noneOf(RateLimitMode.class));
	}

	/**
	 * Creates the definition of a limit that code declares and configuration may tune.
	 */
	static LimitDefinition tuned(@Nullable ConfiguredLimit configured) {
		return new LimitDefinition(configured, false, new ArrayList<>(), EnumSet.noneOf(RateLimitMode.class));
	}

	/**
	 * Returns this definition with something else said by the configuration.
	 */
	LimitDefinition reconfigured(ConfiguredLimit configured) {
		return new LimitDefinition(configured, this.created, this.declared, this.modesOfUse);
	}

	/**
	 * Returns whether the limit exists for being configured.
	 */
	boolean isCreated() {
		return this.created;
	}

	/**
	 * Returns whether code says something about the limit.
	 */
	boolean isDeclared() {
		return !this.declared.isEmpty();
	}

	/**
	 * Returns whether anybody says what the rate is.
	 */
	boolean hasRate() {
		return rate() != null;
	}

	String name() {
		return (this.configured != null && this.created) ? this.configured.name() : this.declared.get(0).name();
	}

	/**
	 * Adds what a place in the code says.
	 * @return whether it is new
	 * @throws RateLimitConfigurationException if it contradicts another place
	 */
	boolean add(DeclaredLimit limit) {
		if (this.declared.contains(limit)) {
			return false;
		}
		this.declared.forEach((other) -> checkAgreement(other, limit));
		this.declared.add(limit);
		return true;
	}

	private static void checkAgreement(DeclaredLimit one, DeclaredLimit other) {
		if (!one.named() && !other.named() && !one.place().equals(other.place())) {
			throw new RateLimitConfigurationException(
					"%s and %s would share the rate limit '%s', which neither names".formatted(one.place(),
							other.place(), one.name()),
					"Give each its own name: @RateLimited(name = \"...\"). To share one on purpose, give both the"
							+ " same name.");
		}
		checkAgreement(one, other, "rate", DeclaredLimit::rate);
		checkAgreement(one, other, "per", DeclaredLimit::per);
		checkAgreement(one, other, "capacity", DeclaredLimit::capacity);
	}

	private static void checkAgreement(DeclaredLimit one, DeclaredLimit other, String component,
			Function<DeclaredLimit, @Nullable Object> value) {
		Object first = value.apply(one);
		Object second = value.apply(other);
		if (first != null && second != null && !first.equals(second)) {
			throw new RateLimitConfigurationException(
					"The rate limit '%s' is defined twice differently: %s = %s at %s, but %s = %s at %s"
						.formatted(one.name(), component, first, one.place(), component, second, other.place()),
					"Define it in one place and write only the name at the other, make both the same, or give the"
							+ " limits different names.");
		}
	}

	/**
	 * Puts the limit together.
	 * @throws RateLimitConfigurationException if it cannot work
	 */
	RateLimiterSettings settings(@Nullable Duration defaultMaxWait, TokenBucketStores stores) {
		TokenBucketStore store = store(stores);
		RateLimit limit = limit(store);
		ConfiguredLimit configured = this.configured;
		if (configured == null) {
			return new RateLimiterSettings(name(), limit, true, null, null, defaultMaxWait, null,
					RateLimiterSettings.DEFAULT_MAX_KEYS, null, Map.of(), Set.of(), false, store.name(),
					StoreFailurePolicy.LOCAL);
		}
		Long initialTokens = configured.initialTokens();
		check(configured, "initial-tokens", initialTokens, "from 0 to the capacity, which is " + limit.capacity(),
				(tokens) -> tokens >= 0 && tokens <= limit.capacity());
		if (initialTokens != null && store.isRemote()) {
			throw new RateLimitConfigurationException(
					"%s.initial-tokens is %d, but the bucket is in the store '%s', where it is not created at startup"
						.formatted(configured.path(), initialTokens, store.name()),
					"Remove the property, or set %s.store to %s.".formatted(configured.path(),
							LocalTokenBucketStore.NAME));
		}
		check(configured, "max-wait", configured.maxWait(), "zero or more", (wait) -> !wait.isNegative());
		check(configured, "max-waiters", configured.maxWaiters(), "zero or more", (waiters) -> waiters >= 0);
		check(configured, "max-keys", configured.maxKeys(), "one or more", (keys) -> keys >= 1);
		return new RateLimiterSettings(name(), limit, configured.enabled(), configured.mode(), configured.maxWait(),
				defaultMaxWait, configured.maxWaiters(), configured.maxKeys(), initialTokens,
				keyLimits(configured, limit, store), unlimitedKeys(configured), configured.shadow(), store.name(),
				configured.onStoreFailure());
	}

	/**
	 * Returns what calls do when there are too few tokens.
	 */
	Set<RateLimitMode> modes() {
		RateLimitMode mode = (this.configured != null) ? this.configured.mode() : null;
		if (mode != null) {
			return EnumSet.of(mode);
		}
		Set<RateLimitMode> modes = EnumSet.copyOf(this.modesOfUse);
		this.declared.forEach((limit) -> modes.add(limit.mode()));
		return modes;
	}

	/**
	 * Takes note of what calls do that no annotation declares.
	 */
	void useIn(RateLimitMode mode) {
		this.modesOfUse.add(mode);
	}

	/**
	 * Returns the store that keeps the buckets.
	 * @throws RateLimitConfigurationException if there is no such store
	 */
	TokenBucketStore store(TokenBucketStores stores) {
		return stores.get((this.configured != null) ? this.configured.store() : null, path() + ".store");
	}

	private static Set<String> unlimitedKeys(ConfiguredLimit configured) {
		return configured.keys()
			.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().unlimited())
			.map(Map.Entry::getKey)
			.collect(Collectors.toSet());
	}

	private static Map<String, RateLimit> keyLimits(ConfiguredLimit configured, RateLimit limit,
			TokenBucketStore store) {
		Map<String, RateLimit> limits = new LinkedHashMap<>();
		configured.keys().forEach((key, said) -> {
			if (!said.unlimited()) {
				limits.put(key, keyLimit(said, limit, store, "%s.keys[%s]".formatted(configured.path(), key)));
			}
		});
		return limits;
	}

	private static RateLimit keyLimit(ConfiguredLimit.Key said, RateLimit limit, TokenBucketStore store, String path) {
		Double rate = said.rate();
		Long capacity = said.capacity();
		if (rate == null && capacity == null) {
			throw new RateLimitConfigurationException("%s says neither rate, capacity nor unlimited".formatted(path),
					"Set one of them, or remove the key.");
		}
		Long defaultCapacity = (rate != null) ? Long.valueOf(RateLimit.defaultCapacity(rate)) : limit.capacity();
		try {
			return checked(store, RateLimit.of((rate != null) ? rate : limit.rate(),
					(said.per() != null) ? said.per() : limit.per(), (capacity != null) ? capacity : defaultCapacity));
		}
		catch (InvalidRateLimitException ex) {
			throw new RateLimitConfigurationException("%s.%s must be %s, but was %s".formatted(path, ex.getComponent(),
					ex.getRequirement(), ex.getValue()), remedy(ex));
		}
	}

	private static <T> void check(ConfiguredLimit configured, String property, @Nullable T value, String requirement,
			Predicate<T> predicate) {
		if (value != null && !predicate.test(value)) {
			throw new RateLimitConfigurationException(
					"%s.%s must be %s, but was %s".formatted(configured.path(), property, requirement, value),
					"Correct the value, or remove the property for the default.");
		}
	}

	private static RateLimit checked(TokenBucketStore store, RateLimit limit) {
		store.check(limit);
		return limit;
	}

	private @Nullable Double rate() {
		return component(ConfiguredLimit::rate, DeclaredLimit::rate);
	}

	private RateLimit limit(TokenBucketStore store) {
		Double rate = rate();
		Duration per = component(ConfiguredLimit::per, DeclaredLimit::per);
		Long capacity = component(ConfiguredLimit::capacity, DeclaredLimit::capacity);
		if (rate == null) {
			throw MissingRate.of(this, List.of());
		}
		try {
			return checked(store, RateLimit.of(rate, (per != null) ? per : DEFAULT_PER,
					(capacity != null) ? capacity : RateLimit.defaultCapacity(rate)));
		}
		catch (InvalidRateLimitException ex) {
			throw new RateLimitConfigurationException("The rate limit '%s' is out of range: %s must be %s, but was %s"
				.formatted(name(), place(ex.getComponent()), ex.getRequirement(), ex.getValue()), remedy(ex));
		}
	}

	private static String remedy(InvalidRateLimitException ex) {
		return "Choose a %s that is %s.".formatted(ex.getComponent(), ex.getRequirement());
	}

	private <T> @Nullable T component(Function<ConfiguredLimit, @Nullable T> configuredValue,
			Function<DeclaredLimit, @Nullable T> declaredValue) {
		T value = (this.configured != null) ? configuredValue.apply(this.configured) : null;
		return (value != null) ? value
				: this.declared.stream().map(declaredValue).filter(Objects::nonNull).findFirst().orElse(null);
	}

	private String place(String component) {
		Function<ConfiguredLimit, @Nullable Object> configuredValue = (limit) -> switch (component) {
			case "rate" -> limit.rate();
			case "per" -> limit.per();
			default -> limit.capacity();
		};
		if (this.configured != null && configuredValue.apply(this.configured) != null) {
			return this.configured.path() + "." + component;
		}
		return "%s of %s".formatted(component, places());
	}

	/**
	 * Returns where the limit is used, or else configured.
	 */
	String places() {
		return this.declared.isEmpty() ? Objects.requireNonNull(this.configured).path()
				: String.join(" and ", this.declared.stream().map(DeclaredLimit::place).toList());
	}

	/**
	 * Returns where properties of the limit are written.
	 */
	String path() {
		boolean plain = name().chars().allMatch((c) -> Character.isLetterOrDigit(c) || c == '-');
		return plain ? "ratelimit.buckets." + name() : "ratelimit.buckets[" + name() + "]";
	}

}
