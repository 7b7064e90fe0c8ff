package dev.ratelimit.core;

/**
 * Thrown when a component of a {@link RateLimit} is out of range.
 */
public final class InvalidRateLimitException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String component;

	private final String value;

	private final String requirement;

	/**
	 * Creates an exception.
	 * @param component the component at fault
	 * @param value the value that was given
	 * @param requirement what the component must be, as a phrase that follows "must be"
	 */
	public InvalidRateLimitException(String component, Object value, String requirement) {
		super("%s must be %s, but was %s".formatted(component, requirement, value));
		this.component = component;
		this.value = String.valueOf(value);
		this.requirement = requirement;
	}

	/**
	 * Returns the component at fault.
	 * @return {@code rate}, {@code per} or {@code capacity}
	 */
	public String getComponent() {
		return this.component;
	}

	/**
	 * Returns the value that was given.
	 * @return the value as text
	 */
	public String getValue() {
		return this.value;
	}

	/**
	 * Returns what the component must be, as a phrase that follows "must be".
	 * @return the requirement
	 */
	public String getRequirement() {
		return this.requirement;
	}

}
