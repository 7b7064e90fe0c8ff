package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.core.NearestName;
import dev.ratelimit.core.TokenBucket;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Explains why a {@link TokenBucket} cannot be injected. Spring Boot's own analyzer makes
 * all beans of the type and fails, for the registry that they need is gone once the
 * context is closed.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingTokenBucketFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

	private final Environment environment;

	MissingTokenBucketFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		if (cause.getBeanType() != TokenBucket.class) {
			return null;
		}
		InjectionPoint point = injectionPoint(rootFailure);
		String qualifier = (point != null) ? qualifier(point) : null;
		String problem = "%s asks for a TokenBucket %s, but %s".formatted(describe(point),
				(qualifier != null) ? "named '%s'".formatted(qualifier) : "without a name",
				names().isEmpty() ? "there is none below ratelimit.buckets"
						: "below ratelimit.buckets there are %s".formatted(String.join(", ", names())));
		return new FailureAnalysis(problem, remedy(qualifier), cause);
	}

	private String remedy(@Nullable String qualifier) {
		String other = "A limit that only an annotation declares is no bean: take it from the RateLimiterRegistry.";
		if (qualifier == null) {
			return names().isEmpty() ? "Set ratelimit.buckets.<name>.rate. " + other
					: "Say which: @Qualifier(\"%s\").".formatted(names().get(0));
		}
		return NearestName.near(qualifier, names())
			.map("Did you mean @Qualifier(\"%s\")? Otherwise set"::formatted)
			.orElse("Set") + " %s.rate. %s".formatted(BucketNames.path(qualifier), other);
	}

	private List<String> names() {
		return BucketNames.of(this.environment).spelt().stream().sorted().toList();
	}

	private static String describe(@Nullable InjectionPoint point) {
		return (point == null) ? "A bean" : "%s (%s)".formatted(point.getMember().getDeclaringClass().getName(), point);
	}

	private static @Nullable String qualifier(InjectionPoint point) {
		MergedAnnotation<Qualifier> qualifier = MergedAnnotations.from(point.getAnnotations()).get(Qualifier.class);
		return qualifier.getValue(MergedAnnotation.VALUE, String.class).orElse(null);
	}

	/**
	 * Returns the injection point that is nearest to the cause.
	 */
	private static @Nullable InjectionPoint injectionPoint(Throwable failure) {
		InjectionPoint nearest = null;
		for (Throwable current = failure; current != null; current = current.getCause()) {
			if (current instanceof UnsatisfiedDependencyException unsatisfied
					&& unsatisfied.getInjectionPoint() != null) {
				nearest = unsatisfied.getInjectionPoint();
			}
		}
		return nearest;
	}

}
