// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.bench.cost.PaceLoop.Benchmark;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProviderPaceTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** More blocks than a counter has numbers, and more entries than the completion queues. */
    private static final int ROUNDS = 400;

    /** The least of these counts: code that is compiled meanwhile may allocate once. */
    private static final int TURNS = 5;

    @ParameterizedTest
    @EnumSource
    void postingAndPollingAllocateNothing(PaceDevice device) throws IOException {
        try (ProviderPace pace = new ProviderPace(device)) {
            Collection<Benchmark> benchmarks = pace.benchmarks().values();
            long least = Long.MAX_VALUE;
            for (int turn = 0; turn < TURNS && least > 0; turn++) {
                long allocated = 0;
                for (int i = 0; i < ROUNDS; i++) {
                    for (Benchmark benchmark : benchmarks) {
                        benchmark.before().run();
                        long before = THREADS.getCurrentThreadAllocatedBytes();
                        benchmark.timed().run();
                        allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
                        benchmark.after().run();
                    }
                }
                least = Math.min(least, allocated);
            }
            assertThat(least).isZero();
        }
    }
}
