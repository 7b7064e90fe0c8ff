package dev.ratelimit.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The script's answer to one operation.
 *
 * @param granted whether tokens were granted, now or for later
 * @param waitMicros how long until they may be used or, if refused, until the same call
 * would pass
 * @param availableTokens what the bucket holds
 * @param ticket what gives the tokens back; empty if there is nothing to give back
 */
record Answer(boolean granted, long waitMicros, long availableTokens, String ticket) {

	/**
	 * Number of values that the script returns for each operation.
	 */
	static final int SIZE = 4;

	/**
	 * Reads an answer from the result of the script.
	 */
	static Answer read(List<Object> result, int index) {
		int start = index * SIZE;
		return new Answer((Long) result.get(start) == 1, (Long) result.get(start + 1), (Long) result.get(start + 2),
				text(result.get(start + 3)));
	}

	private static String text(Object value) {
		return (value instanceof byte[] bytes) ? new String(bytes, StandardCharsets.US_ASCII) : (String) value;
	}

}
