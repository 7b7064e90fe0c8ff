package dev.ratelimit.expression;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.core.NearestName;
import dev.ratelimit.core.RateLimitConfigurationException.Fault;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * Looks in an expression for names that nothing answers to.
 */
final class ExpressionNames {

	/**
	 * Names on the root that ask who is calling.
	 */
	private static final Set<String> OF_CALLER = Set.of("clientIp", "principal", "header");

	private static final Set<String> PROPERTIES = Set.of("clientIp", "principal");

	private static final Set<String> METHODS = Set.of("header");

	private final ExpressionScope scope;

	private final Set<String> askedOfCaller = new HashSet<>();

	private boolean handsOnRoot;

	private @Nullable Fault fault;

	private ExpressionNames(ExpressionScope scope) {
		this.scope = scope;
	}

	/**
	 * Returns the names in an expression.
	 */
	static ExpressionNames of(SpelExpression expression, ExpressionScope scope) {
		ExpressionNames names = new ExpressionNames(scope);
		names.fault = names.check(expression.getAST(), true);
		return names;
	}

	/**
	 * Returns the first fault, if there is one.
	 */
	Optional<Fault> fault() {
		return Optional.ofNullable(this.fault);
	}

	/**
	 * Returns whether an expression without faults asks who is calling.
	 */
	boolean askForCaller() {
		return !this.askedOfCaller.isEmpty();
	}

	/**
	 * Returns whether an expression without faults asks for the name of the caller, or
	 * hands on the root that knows it.
	 */
	boolean askForPrincipal() {
		return this.handsOnRoot || this.askedOfCaller.contains("principal");
	}

	private @Nullable Fault check(SpelNode node, boolean onRoot) {
		Fault fault = checkNode(node, onRoot);
		boolean rootForChildren = onRoot && !(node instanceof Selection || node instanceof Projection);
		for (int i = 0; fault == null && i < node.getChildCount(); i++) {
			SpelNode child = node.getChild(i);
			boolean isMapKey = child instanceof PropertyOrFieldReference
					&& (node instanceof Indexer || (node instanceof InlineMap && i % 2 == 0));
			boolean isOfRoot = i == 1 && isRoot(node.getChild(0));
			boolean isContinuation = node instanceof CompoundExpression && i > 0 && !isOfRoot;
			boolean ofContinuation = isContinuation
					&& (child instanceof PropertyOrFieldReference || child instanceof MethodReference);
			if (!isMapKey) {
				fault = ofContinuation ? checkArguments(child, rootForChildren) : check(child, rootForChildren);
			}
		}
		return fault;
	}

	private static boolean isRoot(SpelNode node) {
		return node instanceof VariableReference variable
				&& (variable.toStringAST().equals("#root") || variable.toStringAST().equals("#this"));
	}

	private @Nullable Fault checkArguments(SpelNode node, boolean onRoot) {
		Fault fault = null;
		for (int i = 0; fault == null && i < node.getChildCount(); i++) {
			fault = check(node.getChild(i), onRoot);
		}
		return fault;
	}

	private @Nullable Fault checkNode(SpelNode node, boolean onRoot) {
		if (node instanceof VariableReference variable) {
			return checkVariable(variable.toStringAST().substring(1));
		}
		if (node instanceof FunctionReference function) {
			return new Fault("calls the function %s, but there are none".formatted(function.toStringAST()),
					"Call a bean's method (@bean.method(...)) or a static one (T(com.example.Type).method(...)).");
		}
		if (node instanceof BeanReference bean) {
			return checkBean(bean.getName());
		}
		if (onRoot && node instanceof PropertyOrFieldReference property) {
			return checkProperty(property.getName());
		}
		if (onRoot && node instanceof MethodReference method) {
			return checkMethod(method.getName());
		}
		return null;
	}

	private @Nullable Fault checkVariable(String name) {
		this.handsOnRoot |= name.equals("root") || name.equals("this");
		return this.scope.hasVariable(name) ? null
				: new Fault("names #%s, but %s, only %s".formatted(name, this.scope.lacking(), this.scope.variables()),
						this.scope.remedy());
	}

	private @Nullable Fault checkBean(String name) {
		if (this.scope.beans().known().test(name)) {
			return null;
		}
		return new Fault("names the bean '%s', which is not there".formatted(name),
				NearestName.near(name, this.scope.beans().names().get())
					.map("Did you mean @%s?"::formatted)
					.orElse("Write the name of a bean: @name."));
	}

	private void note(String name) {
		if (OF_CALLER.contains(name)) {
			this.askedOfCaller.add(name);
		}
	}

	private @Nullable Fault checkProperty(String name) {
		note(name);
		if (PROPERTIES.contains(name) || this.scope.properties().contains(name)) {
			return null;
		}
		String remedy = this.scope.variables()
			.stream()
			.filter(name::equalsIgnoreCase)
			.findFirst()
			.map("Did you mean #%s?"::formatted)
			.orElse("An expression sees %s.".formatted(this.scope.known()));
		return new Fault("names '%s', which is not known".formatted(name), remedy);
	}

	private @Nullable Fault checkMethod(String name) {
		note(name);
		return METHODS.contains(name) ? null : new Fault("calls %s(), which is not known".formatted(name),
				"Call the method of a bean: @bean.%s(...). An expression sees %s.".formatted(name, this.scope.known()));
	}

}
