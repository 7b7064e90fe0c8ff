package dev.ratelimit.web;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image has to contain for limits by route: what expressions see of a
 * request.
 */
public final class RouteRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerType(RouteCall.class, MemberCategory.INVOKE_PUBLIC_METHODS);
	}

}
