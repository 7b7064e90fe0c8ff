package dev.ratelimit.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Sends operations to Redis. Those on one key that come while a round trip is under way
 * travel together in the next one, in order.
 */
final class Batches {

	private static final int MAX_OPERATIONS = 256;

	private final ScriptRunner runner;

	private final Supplier<String> serverTime;

	private final long timeoutNanos;

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
		this.timeoutNanos = timeout.toNanos();
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
			travel(key, List.of(operation));
			return operation.answer();
		}
		return operation.answer().orTimeout(this.timeoutNanos, TimeUnit.NANOSECONDS);
	}

	@SuppressWarnings("FutureReturnValueIgnored") // the answers carry the failure
	private void travel(String key, List<Operation> operations) {
		start(key, operations).whenComplete((answers, failure) -> {
			if (failure != null && !ErrorReply.isNoBucket(failure)) {
				this.runner.reset();
			}
			List<Operation> next = next(key);
			if (!next.isEmpty()) {
				travel(key, next);
			}
			for (int i = 0; i < operations.size(); i++) {
				complete(operations.get(i), answers, i, failure);
			}
		});
	}

	private CompletableFuture<List<Object>> start(String key, List<Operation> operations) {
		try {
			return this.runner.run(key.getBytes(StandardCharsets.UTF_8), arguments(operations))
				.orTimeout(this.timeoutNanos, TimeUnit.NANOSECONDS);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private byte[][] arguments(List<Operation> operations) {
		List<String> arguments = new ArrayList<>();
		arguments.add(this.serverTime.get());
		arguments.add(nonce());
		arguments.addAll(operations.get(0).limit().arguments());
		operations.forEach((operation) -> arguments.addAll(operation.arguments()));
		return arguments.stream()
			.map((argument) -> argument.getBytes(StandardCharsets.US_ASCII))
			.toArray(byte[][]::new);
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

	private static void complete(Operation operation, List<Object> answers, int index, @Nullable Throwable failure) {
		if (failure != null) {
			operation.answer().completeExceptionally(failure);
			return;
		}
		try {
			operation.answer().complete(Answer.read(answers, index));
		}
		catch (RuntimeException ex) {
			operation.answer().completeExceptionally(ex);
		}
	}

}
