package dev.ratelimit.aspect;

import dev.ratelimit.annotation.RateLimited;
import dev.ratelimit.annotation.RateLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * What a native image has to contain for every limited method: the attributes of the
 * annotations, and what expressions see of a call.
 */
public final class LimitedMethodRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection()
			.registerTypes(TypeReference.listOf(RateLimited.class, RateLimits.class, RateLimited.Exempt.class,
					LimitedInvocation.class), (type) -> type.withMembers(MemberCategory.INVOKE_PUBLIC_METHODS));
	}

}
