package dev.ratelimit.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What one call wants of a bucket, and the answer to come.
 */
final class Operation {

	/**
	 * Longest wait of a call that wants its tokens at once or not at all, and no ticket.
	 */
	static final long NO_WAIT = -1;

	private final RedisLimit limit;

	private final String name;

	private final long tokens;

	private final String argument;

	private final boolean countable;

	private final CompletableFuture<Answer> answer = new CompletableFuture<>();

	private Operation(RedisLimit limit, String name, long tokens, String argument, boolean countable) {
		this.limit = limit;
		this.name = name;
		this.tokens = tokens;
		this.argument = argument;
		this.countable = countable;
	}

	static Operation take(RedisLimit limit, long tokens, long maxWaitMicros) {
		return new Operation(limit, "take", tokens, Long.toString(maxWaitMicros), maxWaitMicros <= 0);
	}

	static Operation giveBack(RedisLimit limit, long tokens, String ticket) {
		return new Operation(limit, "return", tokens, ticket, false);
	}

	static Operation refill(RedisLimit limit) {
		return new Operation(limit, "refill", 0, "", false);
	}

	static Operation available(RedisLimit limit) {
		return new Operation(limit, "available", 0, "", false);
	}

	RedisLimit limit() {
		return this.limit;
	}

	long tokens() {
		return this.tokens;
	}

	/**
	 * Returns whether both are the same to the script, which then needs only their
	 * number: neither of them waits.
	 */
	boolean countsWith(Operation other) {
		return this.countable && other.countable && this.tokens == other.tokens && this.argument.equals(other.argument);
	}

	/**
	 * Returns the arguments of the script for a number of such operations.
	 */
	List<String> arguments(int count) {
		return List.of(this.name, Long.toString(this.tokens), this.argument, Integer.toString(count));
	}

	CompletableFuture<Answer> answer() {
		return this.answer;
	}

}
