package dev.ratelimit.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.ratelimit.core.RateLimitMode;

import org.springframework.core.annotation.AliasFor;

/**
 * Limits the rate of calls of a method with a token bucket: every call takes tokens from
 * the bucket, which is refilled at {@link #rate()} up to {@link #capacity()}.
 * <p>
 * On a class, one bucket is shared by its public methods. The nearest declaration wins
 * whole: that of the method (also one that it overrides), else of the class, else of the
 * interface method, else of the interface. Where several limits stand in one place, a
 * call passes all of them or takes nothing.
 * <p>
 * Properties below {@code ratelimit.buckets.<name>} win over what is written here. Under
 * one name, {@link #rate()}, {@link #per()} and {@link #capacity()} are to be the same
 * everywhere or written once; the other attributes belong to the place where they stand.
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(RateLimits.class)
public @interface RateLimited {

	/**
	 * Value of {@link #capacity()} that says nothing.
	 */
	long UNSET_CAPACITY = Long.MIN_VALUE;

	/**
	 * Name of the bucket. Places with the same name share it.
	 * @return the name; empty: {@code SimpleClassName.methodName} of the bean's class, or
	 * {@code SimpleClassName} on a class
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * Alias of {@link #name()}.
	 * @return the name
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * Tokens added in each period, possibly a fraction.
	 * @return the rate, more than zero; {@link Double#NaN}: what the configuration or
	 * another place of the same name says
	 */
	double rate() default Double.NaN;

	/**
	 * Most tokens the bucket holds, and so the largest burst.
	 * @return the capacity, from 1 to 2<sup>53</sup>; {@link #UNSET_CAPACITY}: what the
	 * configuration or another place of the same name says, else
	 * {@code max(1, ceil(rate))}
	 */
	long capacity() default UNSET_CAPACITY;

	/**
	 * Period of the rate.
	 * @return a number and a unit ({@code "500ms"}, {@code "1m"}, {@code "1d"}), an ISO
	 * 8601 duration ({@code "PT1H"}), or a <code>${placeholder}</code> of one
	 */
	String per() default "1s";

	/**
	 * What a call does when there are too few tokens.
	 * @return whether it is refused at once or waits
	 */
	RateLimitMode mode() default RateLimitMode.REJECT;

	/**
	 * Longest wait in mode {@link RateLimitMode#WAIT}; a call that would wait longer is
	 * refused at once.
	 * @return a duration as in {@link #per()}, or {@code "0"} for none; empty: what
	 * {@code ratelimit.max-wait} says, else no bound
	 */
	String maxWait() default "";

	/**
	 * Whose bucket a call asks: there is one bucket for each value.
	 * @return a SpEL expression, which sees the arguments ({@code #name}, {@code #p0}), a
	 * root with {@code method}, {@code args}, {@code target}, {@code clientIp},
	 * {@code principal} and {@code header(name)}, and beans ({@code @name}). A list of
	 * values ({@code {#a, #b}}) is a key of its own. Empty, or a value that is
	 * {@code null} or empty: the unkeyed bucket
	 */
	String key() default "";

	/**
	 * How many tokens one call takes.
	 * @return a whole number or a SpEL expression of one, as in {@link #key()}. Zero or
	 * less is an error; more than the capacity is refused, for it can never pass
	 */
	String tokens() default "1";

	/**
	 * When the limit applies. A call that it lets by is not counted.
	 * @return a SpEL expression of a truth value, as in {@link #key()}; empty: always
	 */
	String condition() default "";

	/**
	 * Method that is called instead when this limit refuses.
	 * @return name of a method of the same class with the same parameters, optionally
	 * followed by a {@link dev.ratelimit.core.RateLimitExceededException}, and with the
	 * same type of result; empty: the exception is thrown
	 */
	String fallback() default "";

	/**
	 * Takes a method out of the limit that stands on its class or on an interface.
	 */
	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@interface Exempt {

	}

}
