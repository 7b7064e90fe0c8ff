package dev.ratelimit.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Sends operations to Redis. Those on one key that come while a round trip is under way
 * travel together in the next one, in order.
 */
final class Batches {

	private static final int MAX_OPERATIONS = 256;

	private final ScriptRunner runner;

	private final Supplier<String> serverTime;

	private final Timeouts timeouts;

	/**
	 * Operations that wait for the round trip of their key to end.
	 */
	private final ConcurrentMap<String, List<Operation>> waiting = new ConcurrentHashMap<>();

	/**
	 * Creates batches.
	 * @param runner runs the script
	 * @param serverTime the present in microseconds; empty: as the server's clock says
	 * @param timeout how long an operation may take, from its arrival to its answer
	 */
	Batches(ScriptRunner runner, Supplier<String> serverTime, Duration timeout) {
		this.runner = runner;
		this.serverTime = serverTime;
		this.timeouts = new Timeouts(timeout);
	}

	/**
	 * Sends an operation.
	 * @return its answer, or its failure within the time allowed
	 */
	CompletableFuture<Answer> send(String key, Operation operation) {
		List<Operation> first = new ArrayList<>();
		List<Operation> queue = this.waiting.compute(key, (same, others) -> {
			if (others != null) {
				others.add(operation);
			}
			return (others != null) ? others : first;
		});
		if (queue == first) {
			travel(key, new Batch(List.of(operation)));
			return operation.answer();
		}
		return this.timeouts.limit(operation.answer());
	}

	@SuppressWarnings("FutureReturnValueIgnored") // the answers carry the failure
	private void travel(String key, Batch batch) {
		start(key, batch).whenComplete((answers, failure) -> {
			if (failure != null && !ErrorReply.isNoBucket(failure)) {
				this.runner.reset();
			}
			List<Operation> next = next(key);
			if (!next.isEmpty()) {
				travel(key, new Batch(next));
			}
			if (failure != null) {
				batch.fail(failure);
			}
			else {
				batch.complete(answers);
			}
		});
	}

	private CompletableFuture<List<Object>> start(String key, Batch batch) {
		try {
			return this.timeouts.limit(this.runner.run(key.getBytes(StandardCharsets.UTF_8), arguments(batch)));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private byte[][] arguments(Batch batch) {
		List<String> texts = new ArrayList<>();
		texts.add(this.serverTime.get());
		texts.add(nonce());
		batch.addArguments(texts);
		byte[][] arguments = new byte[texts.size()][];
		Arrays.setAll(arguments, (i) -> texts.get(i).getBytes(StandardCharsets.US_ASCII));
		return arguments;
	}

	private static String nonce() {
		return Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
	}

	private List<Operation> next(String key) {
		List<Operation> next = new ArrayList<>();
		this.waiting.computeIfPresent(key, (same, others) -> {
			others.removeIf((operation) -> operation.answer().isDone());
			List<Operation> oldest = others.subList(0, companions(others));
			next.addAll(oldest);
			oldest.clear();
			return next.isEmpty() ? null : others;
		});
		return next;
	}

	/**
	 * Returns how many of the operations that wait may travel together: those of one
	 * limit.
	 */
	private static int companions(List<Operation> operations) {
		int count = 0;
		while (count < Math.min(operations.size(), MAX_OPERATIONS)
				&& operations.get(count).limit().equals(operations.get(0).limit())) {
			count++;
		}
		return count;
	}

}
