package dev.ratelimit.web.reactive;

import java.security.Principal;

/**
 * Recognizes the principal that Spring Security gives to callers who are not
 * authenticated. Its class need not be there.
 */
final class AnonymousCallers {

	private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

	private AnonymousCallers() {
	}

	static boolean includes(Principal principal) {
		Class<?> type = principal.getClass();
		while (type != null && !type.getName().equals(ANONYMOUS)) {
			type = type.getSuperclass();
		}
		return type != null;
	}

}
