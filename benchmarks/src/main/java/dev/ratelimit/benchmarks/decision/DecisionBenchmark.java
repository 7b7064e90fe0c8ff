package dev.ratelimit.benchmarks.decision;

/**
 * {@link Decisions} of a bucket that one thread asks.
 */
public class DecisionBenchmark extends Decisions {

}
