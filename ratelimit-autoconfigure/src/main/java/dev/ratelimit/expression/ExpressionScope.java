package dev.ratelimit.expression;

import java.util.List;
import java.util.Set;

/**
 * What an expression sees besides the caller.
 *
 * @param variables names of its variables, without {@code #}
 * @param positions whether {@code #p0}, {@code #a0} and so on are variables too
 * @param properties names on its root
 * @param beans the beans that it may name
 * @param lacking why another variable is none, for messages
 * @param remedy what to write instead, for messages
 * @param known all that it sees, for messages
 */
public record ExpressionScope(List<String> variables, boolean positions, Set<String> properties, ExpressionBeans beans,
		String lacking, String remedy, String known) {

	private static final String CALLER_AND_BEANS = "clientIp, principal, header('name') and beans (@name)";

	/**
	 * Creates a scope.
	 */
	public ExpressionScope {
		variables = List.copyOf(variables);
		properties = Set.copyOf(properties);
	}

	/**
	 * Returns the scope of an annotated method.
	 * @param parameters names of its parameters
	 * @param beans the beans of the application
	 * @return the scope
	 */
	public static ExpressionScope ofMethod(List<String> parameters, ExpressionBeans beans) {
		return new ExpressionScope(parameters, true, Set.of("method", "args", "target"), beans,
				"the method has no such parameter", "Write the name of a parameter, or #p0 for the first one.",
				"the arguments (#name, #p0), method, args, target, " + CALLER_AND_BEANS);
	}

	/**
	 * Returns the scope of the path of a request.
	 * @param variables names of the variables in its pattern
	 * @param beans the beans of the application
	 * @return the scope
	 */
	public static ExpressionScope ofPath(List<String> variables, ExpressionBeans beans) {
		return new ExpressionScope(variables, false, Set.of(), beans, "the path has no such variable",
				"Write the name of a variable in the pattern of the path.",
				"the variables of the path (#name), " + CALLER_AND_BEANS);
	}

	boolean hasVariable(String name) {
		return name.equals("root") || name.equals("this") || this.variables.contains(name) || isPosition(name);
	}

	private boolean isPosition(String name) {
		for (int i = 0; this.positions && i < this.variables.size(); i++) {
			if (name.equals("p" + i) || name.equals("a" + i)) {
				return true;
			}
		}
		return false;
	}

}
