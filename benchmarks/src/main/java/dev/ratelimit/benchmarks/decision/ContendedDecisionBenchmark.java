package dev.ratelimit.benchmarks.decision;

import org.openjdk.jmh.annotations.Threads;

/**
 * {@link Decisions} of a bucket that two threads ask at once.
 */
@Threads(2)
public class ContendedDecisionBenchmark extends Decisions {

}
