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
	 * Number of values that the script returns for equal operations.
	 */
	private static final int SIZE = 4;

	/**
	 * Reads the answer to one of some equal operations from the result of the script.
	 * @param result what the script returned
	 * @param group the number of the equal operations in what the script was asked
	 * @param count how many they are
	 * @param place the number of the one among them
	 * @param tokens what each of them asks for
	 */
	static Answer read(List<Object> result, int group, int count, int place, long tokens) {
		int start = group * SIZE;
		long granted = (Long) result.get(start);
		long waitMicros = (Long) result.get(start + 1);
		long availableTokens = (Long) result.get(start + 2);
		if (place >= granted) {
			return new Answer(false, waitMicros, availableTokens, "");
		}
		long after = granted - 1 - place;
		return new Answer(true, (count == 1) ? waitMicros : 0, availableTokens + after * tokens,
				ticket(result.get(start + 3), after));
	}

	private static String ticket(Object last, long after) {
		String ticket = (last instanceof byte[] bytes) ? new String(bytes, StandardCharsets.US_ASCII) : (String) last;
		return ticket.isEmpty() ? "" : ticket + " " + after;
	}

}
