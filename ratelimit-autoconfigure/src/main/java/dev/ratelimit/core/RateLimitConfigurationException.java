package dev.ratelimit.core;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown at startup when limits are declared or configured in a way that cannot work. It
 * names all the faults that were found.
 */
public class RateLimitConfigurationException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final transient List<Fault> faults;

	/**
	 * Creates an exception.
	 * @param faults what is wrong; at least one
	 */
	public RateLimitConfigurationException(List<Fault> faults) {
		super(faults.stream().map(Fault::problem).collect(Collectors.joining(System.lineSeparator())));
		this.faults = List.copyOf(faults);
	}

	/**
	 * Creates an exception with one fault.
	 * @param problem what is wrong, and where
	 * @param remedy what to write instead
	 */
	public RateLimitConfigurationException(String problem, String remedy) {
		this(List.of(new Fault(problem, remedy)));
	}

	/**
	 * Returns what is wrong.
	 * @return the faults, at least one
	 */
	public List<Fault> getFaults() {
		return this.faults;
	}

	/**
	 * One fault.
	 *
	 * @param problem what is wrong, where (class and method, or path of the property) and
	 * with which value
	 * @param remedy what to write instead
	 */
	public record Fault(String problem, String remedy) {

	}

}
