package dev.ratelimit.redis;

import org.jspecify.annotations.Nullable;

/**
 * Error replies of the server, as exceptions of any client.
 */
final class ErrorReply {

	private ErrorReply() {
	}

	/**
	 * Returns whether the server does not know the script by its digest.
	 */
	static boolean isScriptMissing(Throwable failure) {
		return startsWith(failure, "NOSCRIPT");
	}

	/**
	 * Returns whether the value under the key is not the state of a bucket.
	 */
	static boolean isNoBucket(Throwable failure) {
		return startsWith(failure, "NOTABUCKET");
	}

	private static boolean startsWith(Throwable failure, String code) {
		for (@Nullable
		Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause.getMessage() != null && cause.getMessage().contains(code)) {
				return true;
			}
		}
		return false;
	}

}
