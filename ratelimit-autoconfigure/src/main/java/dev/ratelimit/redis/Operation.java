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

	private final String tokens;

	private final String argument;

	private final CompletableFuture<Answer> answer = new CompletableFuture<>();

	private Operation(RedisLimit limit, String name, long tokens, String argument) {
		this.limit = limit;
		this.name = name;
		this.tokens = Long.toString(tokens);
		this.argument = argument;
	}

	static Operation take(RedisLimit limit, long tokens, long maxWaitMicros) {
		return new Operation(limit, "take", tokens, Long.toString(maxWaitMicros));
	}

	static Operation giveBack(RedisLimit limit, long tokens, String ticket) {
		return new Operation(limit, "return", tokens, ticket);
	}

	static Operation refill(RedisLimit limit) {
		return new Operation(limit, "refill", 0, "");
	}

	static Operation available(RedisLimit limit) {
		return new Operation(limit, "available", 0, "");
	}

	RedisLimit limit() {
		return this.limit;
	}

	/**
	 * Returns the arguments of the script for this operation.
	 */
	List<String> arguments() {
		return List.of(this.name, this.tokens, this.argument);
	}

	CompletableFuture<Answer> answer() {
		return this.answer;
	}

}
