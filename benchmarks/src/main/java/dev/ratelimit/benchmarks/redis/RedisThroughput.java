package dev.ratelimit.benchmarks.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;

/**
 * Measures how many calls in a second are decided in Redis, beside a script that does
 * nothing. In each round all take their turns; what counts is the median of the ratios of
 * a round.
 * <p>
 * Arguments: the number of rounds, the milliseconds of each turn, and the callers, such
 * as {@code 16x1 16x64} (threads and keys) or {@code v1000x1} (virtual threads, Java 21
 * and later).
 */
final class RedisThroughput {

	private RedisThroughput() {
	}

	public static void main(String[] arguments) throws InterruptedException, ExecutionException {
		Duration turn = Duration.ofMillis(Long.parseLong(arguments[1]));
		try (Contenders contenders = new Contenders()) {
			for (String callers : Arrays.asList(arguments).subList(2, arguments.length)) {
				measure(contenders, RedisCallers.parse(callers), Integer.parseInt(arguments[0]), turn);
			}
		}
	}

	/**
	 * Measures one kind of callers.
	 * @return the median ratio of each contender to the trivial script
	 */
	static Map<String, Double> measure(Contenders contenders, RedisCallers callers, int rounds, Duration turn)
			throws InterruptedException, ExecutionException {
		ExecutorService executor = callers.executor();
		try {
			List<Map<String, Double>> rates = new ArrayList<>();
			round(contenders, callers, executor, turn, 0);
			for (int round = 0; round < rounds; round++) {
				rates.add(round(contenders, callers, executor, turn, round));
			}
			return report(callers, rates);
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static Map<String, Double> round(Contenders contenders, RedisCallers callers, ExecutorService executor,
			Duration turn, int round) throws InterruptedException, ExecutionException {
		List<String> names = new ArrayList<>(contenders.names());
		Collections.rotate(names, round);
		Map<String, Double> rates = new LinkedHashMap<>();
		for (String name : names) {
			rates.put(name, callers.rate(executor, contenders.decision(name), turn));
		}
		return rates;
	}

	private static Map<String, Double> report(RedisCallers callers, List<Map<String, Double>> rounds) {
		Map<String, Double> medians = new LinkedHashMap<>();
		for (String name : rounds.get(0).keySet()) {
			List<Double> ratios = rounds.stream()
				.map((rates) -> rates.getOrDefault(name, 0.0) / rates.getOrDefault(Contenders.TRIVIAL_SCRIPT, 0.0))
				.sorted()
				.toList();
			double rate = rounds.stream()
				.map((rates) -> rates.getOrDefault(name, 0.0))
				.sorted()
				.toList()
				.get(rounds.size() / 2);
			medians.put(name, ratios.get(rounds.size() / 2));
			System.out.printf("%-8s %-26s %8.0f/s, to the trivial script %.2f (%.2f to %.2f)%n", callers, name, rate,
					ratios.get(rounds.size() / 2), ratios.get(0), ratios.get(rounds.size() - 1));
		}
		return medians;
	}

}
