package dev.ratelimit.redis;

import java.util.List;

/**
 * Operations on one key and under one limit that travel together, in order. Equal ones
 * that follow each other and do not wait are one to the script, with their number.
 */
final class Batch {

	private final List<Operation> operations;

	Batch(List<Operation> operations) {
		this.operations = operations;
	}

	/**
	 * Adds the arguments of the script: the limit and the operations.
	 */
	void addArguments(List<String> arguments) {
		arguments.addAll(this.operations.get(0).limit().arguments());
		for (int start = 0, end = end(0); start < this.operations.size(); start = end, end = end(start)) {
			arguments.addAll(this.operations.get(start).arguments(end - start));
		}
	}

	/**
	 * Hands out what the script returned.
	 */
	void complete(List<Object> result) {
		try {
			int group = 0;
			for (int start = 0, end = end(0); start < this.operations.size(); start = end, end = end(start)) {
				for (int i = start; i < end; i++) {
					Operation operation = this.operations.get(i);
					operation.answer().complete(Answer.read(result, group, end - start, i - start, operation.tokens()));
				}
				group++;
			}
		}
		catch (RuntimeException ex) {
			fail(ex);
		}
	}

	/**
	 * Lets all operations fail that have no answer.
	 */
	void fail(Throwable failure) {
		this.operations.forEach((operation) -> operation.answer().completeExceptionally(failure));
	}

	/**
	 * Returns where the operations end that are equal to the one at the start.
	 */
	private int end(int start) {
		int end = start + 1;
		while (end < this.operations.size() && this.operations.get(end).countsWith(this.operations.get(start))) {
			end++;
		}
		return end;
	}

}
