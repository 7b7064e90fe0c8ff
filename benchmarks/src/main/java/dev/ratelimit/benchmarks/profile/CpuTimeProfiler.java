package dev.ratelimit.benchmarks.profile;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;

import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of an operation, which says more than elapsed time on a machine that others
 * use too: {@code -prof dev.ratelimit.benchmarks.profile.CpuTimeProfiler}.
 */
public class CpuTimeProfiler implements InternalProfiler {

	private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

	private long before;

	@Override
	public String getDescription() {
		return "CPU time of the threads that call the benchmark";
	}

	@Override
	public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
		this.before = nanos();
	}

	@Override
	public Collection<ScalarResult> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
			IterationResult result) {
		double perOperation = (double) (nanos() - this.before) / result.getMetadata().getAllOps();
		return List.of(new ScalarResult("cpu", perOperation, "ns/op", AggregationPolicy.AVG));
	}

	private long nanos() {
		return LongStream.of(this.threads.getAllThreadIds()).filter(this::isWorker).map(this::cpuTime).sum();
	}

	private boolean isWorker(long id) {
		ThreadInfo thread = this.threads.getThreadInfo(id);
		return thread != null && thread.getThreadName().contains("jmh-worker");
	}

	private long cpuTime(long id) {
		return Math.max(0, this.threads.getThreadCpuTime(id));
	}

}
