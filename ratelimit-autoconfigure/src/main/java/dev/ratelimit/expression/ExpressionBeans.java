package dev.ratelimit.expression;

import java.util.Collection;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.springframework.expression.BeanResolver;

/**
 * The beans that expressions see.
 *
 * @param resolver finds a bean
 * @param known whether there is a bean of a name, which begins with {@code &} where the
 * factory itself is meant
 * @param names names of beans, for messages
 */
public record ExpressionBeans(BeanResolver resolver, Predicate<String> known, Supplier<Collection<String>> names) {

}
